# needs /usr/bin/parallel
# needs /usr/bin/mpirun
# Parts under GNU parallel, and under mpirun, as docs/many-machines.md has them; one is killed and goes on.
export PATH="$(dirname "$command"):$PATH" HOME="$PWD"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
sightline cast spot.obj --generate surface --number 100000 -o one.npy
ask='cast spot.obj --generate surface --number 100000 --threads 1 -q'
echo 'GNU parallel.'
seq 7 | parallel -j 2 --will-cite --retries 3 sightline $ask -o par.npy --part {}/7 --resume
sightline merge -o par.npy
cmp one.npy par.npy && echo 'the same'
echo 'mpirun, of which one rank is killed, and all go on.'
mpirun -np 4 sh -c "[ \$OMPI_COMM_WORLD_RANK != 2 ] || ulimit -f 100
    sightline $ask -o mpi.npy --resume --part \$((OMPI_COMM_WORLD_RANK + 1))/\$OMPI_COMM_WORLD_SIZE" >noise 2>&1 &&
    echo 'none was stopped'
sightline merge -o mpi.npy 2>/dev/null && echo 'all are there'
mpirun -np 4 sh -c "sightline $ask -o mpi.npy --resume --part \$((OMPI_COMM_WORLD_RANK + 1))/\$OMPI_COMM_WORLD_SIZE" 2>noise
sightline merge -o mpi.npy
cmp one.npy mpi.npy && echo 'the same'
ls | grep partial
true
