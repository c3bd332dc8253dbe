package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
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

/** {@code parley import}: brings a project in. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = "Brings a project in that was taken out with export, as the project that it was or as a new one."
                + " To import the same archive again goes on where it ended. Needs a server that runs, and an"
                + " administrator's key. 0 when all of it is there, else 1.")
public final class ImportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the archive")
    private Path file = Path.of("");

    @Option(
            names = "--as",
            paramLabel = "KEY",
            description = "key of the project that it becomes, instead of the one that it was")
    private @Nullable String as;

    @Mixin
    private ServerOptions server = new ServerOptions();

    /** Made by the command line. */
    public ImportCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isRegularFile(file)) {
            System.err.println("There is no file " + file + ".");
            return 1;
        }
        try (var client = new ArchiveClient(server.connection())) {
            return bringIn(client);
        } catch (IOException e) {
            System.err.println("The import broke off: " + e.getMessage());
        } catch (RuntimeException e) {
            System.err.println(e.getMessage());
        }
        return 1;
    }

    private int bringIn(ArchiveClient client) throws IOException, InterruptedException {
        String imports = "/v1/projects/imports";
        String path = imports + "/" + client.post(imports).path("id").asText();
        System.err.printf("Sending %d MiB ...%n", Files.size(file) >> 20);
        client.upload(path, file);
        client.post(path + "/start" + (as == null ? "" : "?as=" + ArchiveClient.encoded(as)));
        System.err.println("Checking and importing ...");
        long[] last = {0};
        JsonNode job = client.await(path, now -> {
            long events = now.path("events").asLong();
            if (events > last[0]) {
                System.err.println("  " + events + " events");
            }
            last[0] = events;
        });
        ExportCommand.print(job.path("archive"));
        job.path("unknown")
                .forEach(name -> System.err.println("Nobody here is called " + name.asText() + ": left out."));
        job.path("left").forEach(what -> System.err.println("Left out: " + what.asText() + "."));
        System.err.println("It is the project " + job.path("project").asText() + ".");
        return 0;
    }
}
