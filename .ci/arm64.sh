#!/bin/sh
# arm64.sh: the same bits on 64-bit ARM: builds everything with Debian's cross compiler, and runs
# tests and the command's cases under qemu.
#
#     sh .ci/arm64.sh                twenty minutes: emulation takes 40 times as long
#     sh .ci/arm64.sh -R '^lib/'     arguments go to ctest; '^(house|package|cli|docs)/' cannot run
#
# Needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user (or qemu-user-static); see
# emulated.sh.
set -eu
name=arm64
machine=aarch64
# shellcheck source=.ci/emulated.sh
. "$(dirname -- "$0")/emulated.sh"

# Without real meshes, which there may be none of, and as little as shows something.
SIGHTLINE_TEST_SCENES=0
SIGHTLINE_TEST_SCALE=0
export SIGHTLINE_TEST_SCENES SIGHTLINE_TEST_SCALE
run_tests -R '^(bvh/(kernels|tri_axis_aligned|one_answer|contact_one_answer|picking_one_answer|matrix|compact_layout|point_to_many|inside|single|packet|scene_(batches|behind|exact|hints|masks|one_answer|packets)|store|volume)|lib/(arena|bare|base64|bounds|camera|decimal|defs|editing_one_answer|ray_triangle_exact|file|file_write|fpenv|generate|gltf|gltf_files|image|inspect|load|memory|mesh|number|obj|off|part|ply|pool|sort|stl|text|weld|write)|tools/(camera_file|draw|ray_verify))$'
SIGHTLINE_TEST_SCALE=2 # 163,840 rays and segments
run_tests -R '^bvh/leaks$'
run_cases "$name" "$emulator" -L "/usr/$machine-linux-gnu" "$build/tools/sightline" -- \
    arrays_bad build cast cast_arrays gltf help info inside los mesh_bad nearest_generated output overlap pick render within
