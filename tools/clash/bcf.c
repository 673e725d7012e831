/* clash/bcf.c: clashes as a file in the BIM Collaboration Format 2.1 (buildingSMART): a zip archive
 * with a folder for each topic, which has a text (markup.bcf) and a view of the place
 * (viewpoint.bcfv).  libzip writes the archive.
 *
 * Elements are named by their names in the scene, which are IFC's identifiers if they have the form
 * of one.  The same scene makes the same file, if SOURCE_DATE_EPOCH says when. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"
#include "tools/output/checksum.h"
#include "tools/output/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef SIGHTLINE_ZIP
#include <zip.h>

enum { GUID_SIZE = 37, IFC_GUID_LENGTH = 22, DATE_SIZE = 32 };

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

typedef struct bcf_file {
    clash_run *run;
    zip_t *zip;
    time_t when;
    char date[DATE_SIZE];
    out_memory *members; /* which live until the archive is closed: whether libzip has freed bytes
                          * that it was given and had no memory for is not known */
    size_t member_count;
} bcf_file;

/* A version 8 UUID from a kind and the names of both elements. */
static void make_guid(char to[GUID_SIZE], const char *kind, uint64_t number, const char *a,
                      const char *b)
{
    uint64_t half[2];
    for (uint64_t i = 0; i < 2; i++) {
        checksum sum = checksum_begin(i + 1);
        checksum_add_text(&sum, kind);
        checksum_add_count(&sum, number);
        checksum_add_text(&sum, a);
        checksum_add_text(&sum, b);
        half[i] = checksum_end(&sum);
    }
    snprintf(to, GUID_SIZE, "%08x-%04x-8%03x-%04x-%012llx", (unsigned)(half[0] >> 32),
             (unsigned)(half[0] >> 16 & 0xFFFF), (unsigned)(half[0] & 0xFFF),
             (unsigned)(half[1] >> 48 & 0x3FFF) | 0x8000u,
             (unsigned long long)(half[1] & 0xFFFFFFFFFFFFull));
}

static bool is_ifc_guid(const char *name)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
    return strlen(name) == IFC_GUID_LENGTH && strspn(name, digits) == IFC_GUID_LENGTH &&
           name[0] >= '0' && name[0] <= '3';
}

/* A member of the archive: what was written to the last of file->members. */
static int add_member(bcf_file *file, const char *name)
{
    out_memory *memory = &file->members[file->member_count - 1];
    if (!out_memory_take(memory)) {
        return report_memory();
    }
    zip_source_t *source = zip_source_buffer(file->zip, memory->bytes, memory->size, 0);
    if (source == NULL) {
        return report_memory();
    }
    const zip_int64_t index = zip_file_add(file->zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
    }
    return index >= 0 && zip_file_set_mtime(file->zip, (zip_uint64_t)index, file->when, 0) == 0
               ? EXIT_DONE
               : report_failure(file->run->options->bcf, "%s", zip_strerror(file->zip));
}

static void put_vector(FILE *to, const char *name, const double v[3])
{
    fprintf(to, "    <%s><X>%.9g</X><Y>%.9g</Y><Z>%.9g</Z></%s>\n", name, v[0], v[1], v[2], name);
}

static void put_component(FILE *to, const char *name)
{
    fputs("      <Component", to);
    if (is_ifc_guid(name)) {
        fprintf(to, " IfcGuid=\"%s\"", name);
    }
    fputs("><OriginatingSystem>sightline</OriginatingSystem><AuthoringToolId>", to);
    out_print_xml_text(to, name);
    fputs("</AuthoringToolId></Component>\n", to);
}

static void put_viewpoint(const bcf_file *file, FILE *to, const char *guid,
                          const sl_instance_clash *clash, const char *const names[2])
{
    static const double dir[3] = { -0.577350269, 0.577350269, -0.577350269 };
    static const double up[3] = { -0.408248290, 0.408248290, 0.816496581 };
    double eye[3];
    clash_place(file->run, clash, eye);
    const double size[2] = { clash_size(file->run, clash->a), clash_size(file->run, clash->b) };
    for (int axis = 0; axis < 3; axis++) {
        eye[axis] -= dir[axis] * (size[0] < size[1] ? size[0] : size[1]);
    }
    fprintf(to, XML_HEAD "<VisualizationInfo Guid=\"%s\">\n  <Components>\n    <Selection>\n",
            guid);
    put_component(to, names[0]);
    put_component(to, names[1]);
    fputs("    </Selection>\n    <Visibility DefaultVisibility=\"true\"/>\n  </Components>\n"
          "  <PerspectiveCamera>\n",
          to);
    put_vector(to, "CameraViewPoint", eye);
    put_vector(to, "CameraDirection", dir);
    put_vector(to, "CameraUpVector", up);
    fputs("    <FieldOfView>60</FieldOfView>\n  </PerspectiveCamera>\n</VisualizationInfo>\n", to);
}

static void put_markup(const bcf_file *file, FILE *to, const char *guid, const char *view,
                       const sl_instance_clash *clash, const char *const names[2])
{
    const char *const kinds[] = { "hard clash", "touching", "clearance" };
    fprintf(to,
            XML_HEAD "<Markup>\n  <Topic Guid=\"%s\" TopicType=\"Clash\" TopicStatus=\"Open\">\n"
                     "    <Title>",
            guid);
    out_print_xml_text(to, names[0]);
    fputs(" / ", to);
    out_print_xml_text(to, names[1]);
    fprintf(to,
            ": %s</Title>\n    <CreationDate>%s</CreationDate>\n"
            "    <CreationAuthor>sightline</CreationAuthor>\n    <Description>",
            kinds[clash->kind], file->date);
    if (clash->kind == SL_CLASH_CLEARANCE) {
        fprintf(to, "Apart by %.9g.", (double)clash->nearest.distance);
    } else if (clash->pairs == 0) {
        fputs("One is inside the other.", to);
    } else {
        fprintf(to, "Pairs of triangles that meet: %llu.", (unsigned long long)clash->pairs);
    }
    fprintf(to,
            "</Description>\n  </Topic>\n  <Viewpoints Guid=\"%s\">\n"
            "    <Viewpoint>viewpoint.bcfv</Viewpoint>\n  </Viewpoints>\n</Markup>\n",
            view);
}

/* Where the next member is written; NULL after a report. */
static FILE *open_member(bcf_file *file)
{
    out_memory *memory = &file->members[file->member_count];
    if (!out_memory_open(memory)) {
        (void)report_memory();
        return NULL;
    }
    file->member_count++;
    return memory->stream;
}

/* The name of an element, or its number. */
static char *copy_name(const bcf_file *file, uint32_t instance)
{
    char number[32];
    const char *name = clash_name(file->run, 0, instance);
    snprintf(number, sizeof number, "element %lu", (unsigned long)instance);
    return strdup(name != NULL && name[0] != '\0' ? name : number);
}

static int add_topic(bcf_file *file, const sl_instance_clash *clash, char *const names[2])
{
    char guid[GUID_SIZE], view[GUID_SIZE], path[GUID_SIZE + 32];
    const char *const both[2] = { names[0], names[1] };
    const uint64_t number = (uint64_t)clash->a << 32 | clash->b;
    make_guid(guid, "topic", number, names[0], names[1]);
    make_guid(view, "view", number, names[0], names[1]);
    int status = EXIT_DONE;
    for (int i = 0; i < 2 && status == EXIT_DONE; i++) {
        FILE *to = open_member(file);
        if (to == NULL) {
            return EXIT_FAILED;
        }
        if (i == 0) {
            put_markup(file, to, guid, view, clash, both);
        } else {
            put_viewpoint(file, to, view, clash, both);
        }
        snprintf(path, sizeof path, "%s/%s", guid, i == 0 ? "markup.bcf" : "viewpoint.bcfv");
        status = add_member(file, path);
    }
    return status;
}

static int add_version(bcf_file *file)
{
    FILE *to = open_member(file);
    if (to == NULL) {
        return EXIT_FAILED;
    }
    fputs(XML_HEAD "<Version VersionId=\"2.1\"><DetailedVersion>2.1</DetailedVersion></Version>\n",
          to);
    return add_member(file, "bcf.version");
}

static void make_date(bcf_file *file)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    file->when = epoch != NULL ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    const struct tm *utc = gmtime(&file->when);
    if (utc == NULL || strftime(file->date, DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", utc) == 0) {
        snprintf(file->date, DATE_SIZE, "1970-01-01T00:00:00Z");
    }
}

static int add_topics(bcf_file *file, const sl_instance_clash *found, size_t count)
{
    int status = add_version(file);
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        char *names[2] = { copy_name(file, found[i].a), copy_name(file, found[i].b) };
        status = names[0] != NULL && names[1] != NULL ? add_topic(file, &found[i], names)
                                                      : report_memory();
        free(names[0]);
        free(names[1]);
    }
    return status;
}

/* The finished archive, which libzip has made in memory, as a file like all others. */
static int write_archive(zip_source_t *archive, const char *path)
{
    char bytes[1 << 14];
    zip_int64_t count = -1;
    out_file to;
    int status = out_file_open(&to, path);
    if (status != EXIT_DONE) {
        return status;
    }
    if (zip_source_open(archive) == 0) {
        while ((count = zip_source_read(archive, bytes, sizeof bytes)) > 0) {
            fwrite(bytes, 1, (size_t)count, to.stream);
        }
        zip_source_close(archive);
    }
    if (count != 0) {
        out_file_discard(&to);
        return report_memory();
    }
    return out_file_close(&to);
}

int clash_bcf(clash_run *run, const sl_instance_clash *found, size_t count)
{
    bcf_file file = { .run = run };
    make_date(&file);
    file.members = calloc(2 * count + 1, sizeof *file.members);
    zip_source_t *archive =
        file.members != NULL ? zip_source_buffer_create(NULL, 0, 0, NULL) : NULL;
    file.zip = archive != NULL ? zip_open_from_source(archive, ZIP_TRUNCATE, NULL) : NULL;
    if (file.zip == NULL) {
        zip_source_free(archive);
        free(file.members);
        return report_memory();
    }
    zip_source_keep(archive);
    int status = add_topics(&file, found, count);
    if (status != EXIT_DONE) {
        zip_discard(file.zip);
    } else if (zip_close(file.zip) != 0) {
        status = report_failure(run->options->bcf, "%s", zip_strerror(file.zip));
        zip_discard(file.zip);
    }
    for (size_t i = 0; i < file.member_count; i++) {
        out_memory_free(&file.members[i]);
    }
    free(file.members);
    status = status == EXIT_DONE ? write_archive(archive, run->options->bcf) : status;
    zip_source_free(archive);
    return status;
}

int clash_bcf_check(const clash_options *options)
{
    (void)options;
    return EXIT_DONE;
}

#else

int clash_bcf_check(const clash_options *options)
{
    return options->bcf == NULL
               ? EXIT_DONE
               : report_failure(options->bcf,
                                "this sightline was built without libzip; install it (Debian: "
                                "libzip-dev) and build again");
}

/* Never called. */
int clash_bcf(clash_run *run, const sl_instance_clash *found, size_t count)
{
    (void)found, (void)count;
    return clash_bcf_check(run->options);
}

#endif
