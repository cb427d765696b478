"""Annotates JSONL files with `triage` on a Spark cluster.

  spark-submit --py-files checked_pipe.py triage_job.py [options] INPUT OUTPUT

  INPUT    a folder or pattern of JSONL files, such as hdfs:///messages/*/*.jsonl
  OUTPUT   a folder that is not there yet, or --overwrite

  --triage PATH        the program, at the same absolute path on every machine (default /usr/local/bin/triage)
  --argument WORD      one more word for it, such as --argument=--creator --argument=/etc/triage/creator.yaml
  --variable NAME      hands this variable of the driver's environment on to it, such as a key; may be repeated
  --partitions N       how many pieces the input is read in at the most; 8 to 128 MB each do well
  --by-day             writes a folder for each day of "sent_at", date=YYYY-MM-DD, and date=none
  --idle SECONDS       a filter that does nothing for so long is ended and its partition run again (default 120)

The answers are written by Spark's committer: a partition that was run twice, or whose machine died, shows once, and a
job that failed shows nothing. At the end the lines are counted: as many in as out, or the job ends with 1.
"""
import argparse
import json
import os
import re
import sys
import time

from pyspark.sql import SparkSession

from checked_pipe import checked_pipe

DAY = re.compile(r'"sent_at"\s*:\s*"(\d{4}-\d\d-\d\d)')


def day_of(line):
    found = DAY.search(line)
    return found.group(1) if found else "none"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--triage", default="/usr/local/bin/triage")
    parser.add_argument("--argument", action="append", default=[])
    parser.add_argument("--variable", action="append", default=[])
    parser.add_argument("--partitions", type=int)
    parser.add_argument("--by-day", action="store_true")
    parser.add_argument("--idle", type=float, default=120)
    parser.add_argument("--overwrite", action="store_true")
    options = parser.parse_args()

    command = [options.triage, "stream", "--quiet", "--on-error", "pass", *options.argument]
    environment = {name: os.environ[name] for name in options.variable if name in os.environ}
    spark = SparkSession.builder.appName("triage").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    start = time.time()
    lines = spark.sparkContext.textFile(options.input)
    if options.partitions and lines.getNumPartitions() > options.partitions:
        # Without a shuffle: neighbors come together, and the order within a file stays.
        lines = lines.coalesce(options.partitions)
    taken = spark.sparkContext.accumulator(0)  # of tries, so it may be more than there are lines

    def counted(source):
        for line in source:
            taken.add(1)
            yield line

    answers = lines.mapPartitions(counted).mapPartitions(checked_pipe(command, environment, options.idle))
    mode = "overwrite" if options.overwrite else "errorifexists"
    if options.by_day:
        rows = answers.map(lambda line: (day_of(line), line)).toDF("date string, value string")
        rows.write.mode(mode).partitionBy("date").text(options.output)
    else:
        answers.map(lambda line: (line,)).toDF("value string").write.mode(mode).text(options.output)
    # Counted from what was written: a second look at `answers` would run the filter a second time.
    wanted = lines.count()
    found = spark.read.text(options.output).count()
    print(json.dumps({"in": wanted, "out": found, "tried": taken.value, "partitions": lines.getNumPartitions(),
                      "seconds": round(time.time() - start, 1)}), flush=True)
    spark.stop()
    return 0 if wanted == found else 1


if __name__ == "__main__":
    sys.exit(main())
