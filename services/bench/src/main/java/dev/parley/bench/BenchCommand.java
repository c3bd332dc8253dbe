package dev.parley.bench;

import dev.parley.server.Program;
import picocli.CommandLine.Command;

/** {@code parley bench}: benchmarks of this machine, each in one run. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "BENCHMARK",
        description =
                "Measures Parley on this machine. Each benchmark starts an instance of its own in a temporary folder.",
        subcommands = {
            BenchTurns.class,
            BenchModels.class,
            BenchTelegram.class,
            BenchExport.class,
            BenchAccess.class,
            BenchReads.class,
            BenchRest.class,
            BenchIsolation.class,
            BenchTools.class,
            BenchMemory.class,
            BenchMemoryHttp.class,
            BenchReplay.class,
            BenchWorkflows.class,
            BenchViews.class,
            BenchRows.class
        })
public final class BenchCommand implements Program {}
