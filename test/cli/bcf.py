# bcf.py FILE.bcfzip: shows each topic, after it has been checked against the rules of BCF 2.1's schemas (version.xsd,
# markup.xsd, visinfo.xsd of buildingSMART) for all that sightline writes: elements in their order, and required attributes.
import re
import sys
import uuid
import xml.etree.ElementTree as xml
import zipfile

# Of each element: its children in their order, with '?' for optional ones and '*' for any number; required
# attributes, and others.
VECTOR = ("X Y Z", "", "")
RULES = {
    "Version": ("DetailedVersion", "VersionId", ""),
    "Markup": ("Header? Topic Comment* Viewpoints*", "", ""),
    "Topic": (
        "ReferenceLink* Title Priority? Index? Labels* CreationDate CreationAuthor ModifiedDate? ModifiedAuthor? "
        "DueDate? AssignedTo? Stage? Description? BimSnippet? DocumentReference* RelatedTopic*",
        "Guid",
        "TopicType TopicStatus",
    ),
    "Viewpoints": ("Viewpoint? Snapshot? Index?", "Guid", ""),
    "VisualizationInfo": (
        "Components? OrthogonalCamera? PerspectiveCamera? Lines? ClippingPlanes? Bitmap*",
        "Guid",
        "",
    ),
    "Components": ("ViewSetupHints? Selection? Visibility Coloring?", "", ""),
    "Selection": ("Component*", "", ""),
    "Component": ("OriginatingSystem? AuthoringToolId?", "", "IfcGuid"),
    "Visibility": ("Exceptions?", "", "DefaultVisibility"),
    "PerspectiveCamera": ("CameraViewPoint CameraDirection CameraUpVector FieldOfView", "", ""),
    "CameraViewPoint": VECTOR,
    "CameraDirection": VECTOR,
    "CameraUpVector": VECTOR,
}
GUID = re.compile(r"[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}")
IFC_GUID = re.compile(r"[0-9A-Za-z_$]{22}")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def check(element):
    children, required, others = RULES.get(element.tag, ("", "", ""))
    order = "".join(
        "(%s )%s" % (word.rstrip("?*"), word[-1] if word[-1] in "?*" else "") for word in children.split()
    )
    found = "".join(child.tag + " " for child in element)
    assert re.fullmatch(order, found), "%s has %s" % (element.tag, found)
    assert set(required.split()) <= set(element.attrib) <= set((required + " " + others).split()), element.attrib
    assert GUID.fullmatch(element.get("Guid", "0" * 8 + "-0000" * 3 + "-" + "0" * 12))
    assert IFC_GUID.fullmatch(element.get("IfcGuid", "0" * 22))
    for child in element:
        check(child)


def read(archive, name):
    root = xml.fromstring(archive.read(name))
    check(root)
    return root


def number(element):
    return float(element.text)


with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    names = archive.namelist()
    assert len(set(names)) == len(names)
    version = read(archive, "bcf.version")
    assert version.tag == "Version" and version.get("VersionId") == "2.1"
    guids = {name.split("/")[0] for name in names if "/" in name}
    seen = ["bcf.version"]
    for folder in dict.fromkeys(name.split("/")[0] for name in names if "/" in name):
        markup = read(archive, folder + "/markup.bcf")
        topic = markup.find("Topic")
        assert topic.get("Guid") == folder and uuid.UUID(folder).version == 8
        assert DATE.fullmatch(topic.find("CreationDate").text)
        view = read(archive, folder + "/" + markup.find("Viewpoints/Viewpoint").text)
        assert view.get("Guid") == markup.find("Viewpoints").get("Guid") not in guids
        camera = view.find("PerspectiveCamera")
        assert 45 <= number(camera.find("FieldOfView")) <= 60
        direction, up = ([number(x) for x in camera.find(which)] for which in ("CameraDirection", "CameraUpVector"))
        assert abs(sum(x * x for x in direction) - 1) < 1e-6 and abs(sum(x * x for x in up) - 1) < 1e-6
        assert abs(sum(x * y for x, y in zip(direction, up))) < 1e-6
        seen += [folder + "/markup.bcf", folder + "/viewpoint.bcfv"]
        print(topic.find("CreationDate").text, topic.find("Title").text, "|", topic.find("Description").text, end=" |")
        print(*(" %.3f" % number(x) for x in camera.find("CameraViewPoint")), end=" |")
        for component in view.iter("Component"):
            print("", component.get("IfcGuid", "-"), component.find("AuthoringToolId").text, end=";")
        print()
    assert sorted(seen) == sorted(names), names
print(len(guids), "topics")
