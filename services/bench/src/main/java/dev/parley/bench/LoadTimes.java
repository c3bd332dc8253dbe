package dev.parley.bench;

import picocli.CommandLine.Option;

/** Options of the lengths of loads. */
final class LoadTimes {
    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "seconds of load before anything is measured: the JVM compiles meanwhile (${DEFAULT-VALUE})")
    private int warmUp;

    @Option(names = "--seconds", paramLabel = "N", description = "length of each measurement (${DEFAULT-VALUE})")
    private int seconds;

    /** @param warmUp its default, in seconds */
    LoadTimes(int warmUp) {
        this.warmUp = warmUp;
        this.seconds = 20;
    }

    /** Length of the load before the measurements, in seconds. */
    int warmUp() {
        return warmUp;
    }

    /** Length of each measurement, in seconds. */
    int seconds() {
        return seconds;
    }
}
