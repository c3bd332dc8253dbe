package dev.parley.server.bench;

import picocli.CommandLine.Command;

/** {@code parley bench}: measures on this machine, in one run, and prints what it measured with. */
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
            BenchIsolation.class,
            BenchTools.class,
            BenchMemory.class,
            BenchMemoryHttp.class,
            BenchReplay.class,
            BenchWorkflows.class,
            BenchViews.class,
            BenchRows.class
        })
public final class BenchCommand {}
