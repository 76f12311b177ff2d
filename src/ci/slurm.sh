#!/bin/sh
# A run in shards as an array of Slurm, and a job that puts them together when all have ended. Submit it with: sh slurm.sh
set -eu
mkdir -p @folder@/shards
# Logs lie beside the folders of the shards. 1 says that the target fails, which the merging job tells; 2 that the shard shows nothing. A task that is requeued begins anew.
array=$(sbatch --parsable --job-name=@name@ --array=1-@shards@ --requeue --open-mode=append --output=@folder@/shards/%a.log <<'TASK'
#!/bin/sh
code=0; @touchstone@ run @target@ @arguments@ --shard "$SLURM_ARRAY_TASK_ID/@shards@" --out "@folder@/shards/$SLURM_ARRAY_TASK_ID" || code=$?
[ "$code" -le 1 ]
TASK
)
merge=$(sbatch --parsable --job-name=@name@-merge --dependency="afterany:$array" --output=@folder@/merge.log <<'MERGE'
#!/bin/sh
@touchstone@ report @folder@/shards/*/ --out @folder@/results
MERGE
)
echo "shards: $array, merging: $merge; results come into" @folder@/results
