package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley import}: imports a project archive. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = "Imports a project archive, under its own key or as a new project."
                + " A repeated import of the same archive resumes where it ended. Requires a running server and an"
                + " administrator's key. Exit status: 0 on success, 1 otherwise.")
public final class ImportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the archive")
    private Path file = Path.of("");

    @Option(names = "--as", paramLabel = "KEY", description = "key of the imported project, instead of its own")
    private @Nullable String as;

    @Mixin
    private ServerOptions server;

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isRegularFile(file)) {
            System.err.println("The file " + file + " does not exist.");
            return 1;
        }
        return server.run(ArchiveClient::new, "The import failed", this::importArchive);
    }

    private int importArchive(ArchiveClient client) throws IOException, InterruptedException {
        String imports = "/v1/projects/imports";
        String path = imports + "/" + client.post(imports).path("id").asText();
        System.err.printf("Sending %d MiB ...%n", Files.size(file) >> 20);
        client.upload(path, file);
        client.post(path + "/start" + (as == null ? "" : "?as=" + ApiClient.encode(as)));
        System.err.println("Checking and importing ...");
        long[] printed = {0};
        JsonNode job = client.await(path, running -> {
            long events = running.path("events").asLong();
            if (events > printed[0]) {
                System.err.println("  " + events + " events");
            }
            printed[0] = events;
        });
        ExportCommand.print(job.path("archive"));
        job.path("unknown")
                .forEach(name -> System.err.println("There is no user " + name.asText() + " here: left out."));
        job.path("left").forEach(item -> System.err.println("Left out: " + item.asText() + "."));
        System.err.println("Imported as the project " + job.path("project").asText() + ".");
        return 0;
    }
}
