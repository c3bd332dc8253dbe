package dev.parley.bench;

import dev.parley.domain.RecordKey;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.sessions.archive.Export;
import dev.parley.sessions.archive.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench export}: throughput of the export of a project. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "How fast a project is exported: events of turns with a tool call are written to turn-events, then"
                        + " read, sorted and written to an archive. The broker shares this machine; nothing else is at work.")
final class BenchExport implements Callable<Integer> {
    private static final String PROJECT = "bench";

    @Option(
            names = "--events",
            defaultValue = "500000",
            paramLabel = "N",
            description = "events of the project (${DEFAULT-VALUE})")
    private int events;

    @Option(
            names = "--sessions",
            defaultValue = "2000",
            paramLabel = "N",
            description = "sessions that they are spread over (${DEFAULT-VALUE})")
    private int sessions;

    @Option(
            names = "--runs",
            defaultValue = "3",
            paramLabel = "N",
            description = "exports, one after the other; the first one is slow (${DEFAULT-VALUE})")
    private int runs;

    @Override
    public Integer call() throws Exception {
        Bench.withBroker((clients, data) -> measure(clients, Files.createDirectories(data.resolve("archives"))));
        return 0;
    }

    private void measure(KafkaClients clients, Path folder) throws IOException {
        long bytes = new EventLoad(clients).write(PROJECT, sessions, events);
        new EventLoad(clients).write("other", sessions / 10, events / 10);
        System.out.printf(
                "%d events in %d sessions, %d MiB on the topic, and a tenth as many of another project%n",
                events, sessions, bytes >> 20);
        var export = new Export(clients, new BlobStore(folder, BlobStore.MOST));
        for (int run = 1; run <= runs; run++) {
            run(export, folder.resolve("archive.zip"), run);
        }
    }

    private static void run(Export export, Path file, int run) throws IOException {
        var time = Stopwatch.ofProcess();
        Summary summary = export.run(Export.Content.sessions(PROJECT, "Bench"), file);
        double seconds = time.seconds();
        System.out.printf(
                "export %d: %d events in %.1f s, %.0f events/s, %.2f cores, archive of %d MiB%n",
                run, summary.events(), seconds, summary.events() / seconds, time.cores(), Files.size(file) >> 20);
    }

    /** The key of a session of the load. */
    static RecordKey session(String project, int number) {
        return new RecordKey(project, "bench:" + number);
    }
}
