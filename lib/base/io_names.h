/* io_names.h: names of its own for what sightline::io carries of the core's helpers.
 *
 * The two libraries go into one program in any way, static or shared, so no symbol may be in both.
 * Every file of sightline::io is compiled with this header in front (lib/CMakeLists.txt); a helper
 * that is missing here is found by test/exports.cmake, as a symbol that two libraries define. */
#pragma once

#define sli_fail              sli_io_fail
#define sli_fail_memory       sli_io_fail_memory
#define sli_allocator         sli_io_allocator
#define sli_alloc             sli_io_alloc
#define sli_free              sli_io_free
#define sli_alloc_array       sli_io_alloc_array
#define sli_alloc_large       sli_io_alloc_large
#define sli_free_array        sli_io_free_array
#define sli_grow_array        sli_io_grow_array
#define sli_check_allocator   sli_io_check_allocator
#define sli_is_malloc         sli_io_is_malloc
#define sli_drop_pages        sli_io_drop_pages
#define sli_arena_make        sli_io_arena_make
#define sli_arena_array       sli_io_arena_array
#define sli_arena_free        sli_io_arena_free
#define sli_budget_start      sli_io_budget_start
#define sli_budget_of         sli_io_budget_of
#define sli_budget_take       sli_io_budget_take
#define sli_budget_give       sli_io_budget_give
#define sli_front_start       sli_io_front_start
#define sli_front_of          sli_io_front_of
#define sli_front_behind      sli_io_front_behind
#define sli_file_read         sli_io_file_read
#define sli_file_map          sli_io_file_map
#define sli_file_close        sli_io_file_close
#define sli_file_put          sli_io_file_put
#define sli_file_write_by     sli_io_file_write_by
#define sli_file_write_pieces sli_io_file_write_pieces
#define sli_file_fail         sli_io_file_fail
#define sli_file_too_large    sli_io_file_too_large
#define sli_file_read_open    sli_io_file_read_open
#define sli_file_read_below   sli_io_file_read_below
#define sli_fpenv_enter       sli_io_fpenv_enter
#define sli_fpenv_leave       sli_io_fpenv_leave
#define sli_upright_make      sli_io_upright_make
#define sli_upright_turn      sli_io_upright_turn
#define sli_upright_unit      sli_io_upright_unit
#define sli_transform_level   sli_io_transform_level
#define sli_normal_rescale    sli_io_normal_rescale
