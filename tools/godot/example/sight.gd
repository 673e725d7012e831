# Sixteen guards around a wall: who sees whom, and what is under the mouse.
extends Node3D

var world := SightlineWorld.new()
var camera := Camera3D.new()

func _ready() -> void:
	var box := BoxMesh.new()
	var mesh := world.add_mesh(box.get_faces())
	world.add_instance(mesh, Transform3D(Basis.from_scale(Vector3(8, 3, 0.5)), Vector3.ZERO))
	var eyes := PackedVector3Array()
	for i in 16:
		eyes.append(Vector3(6, 0, 0).rotated(Vector3.UP, TAU * i / 16))
		world.add_instance(mesh, Transform3D(Basis(), eyes[i])) # their bodies, 1 to 16
	if not world.update(): # the reason is in the log
		return

	# Every pair; what each of them has in its way is not its own body.
	var from := PackedVector3Array()
	var to := PackedVector3Array()
	var own := PackedInt32Array()
	for i in 16:
		for k in 16:
			from.append(eyes[i])
			to.append(eyes[k])
			own.append(1 + i)
			own.append(1 + k)
	var seen := world.sight(from, to, own, 2)
	print("%d of %d pairs see each other" % [seen.count(1), seen.size()])

	add_child(camera)
	camera.look_at_from_position(Vector3(0, 10, 14), Vector3.ZERO)

func _input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		var picked := world.pick(camera.get_camera_transform(), camera.get_camera_projection(),
				get_viewport().get_visible_rect().size, event.position)
		print(picked)
