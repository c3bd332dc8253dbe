package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley export}: exports a project, or the caller's own data, to a ZIP file. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Exports a project to a ZIP file. The project may be in use: the file has a snapshot of its sessions, agents,"
                        + " skills, tools and rules, files with their versions, memory, settings and members. --me exports"
                        + " your own data instead. Requires a running server. Exit status: 0 on success, 1 otherwise.")
public final class ExportCommand implements Callable<Integer> {
    @ArgGroup(multiplicity = "1")
    private Subject subject = new Subject();

    @Option(names = "-o", paramLabel = "FILE", description = "archive to write, instead of PROJECT.zip or me.zip")
    private @Nullable Path file;

    @Mixin
    private ServerOptions server;

    /** The subject of an export: a project or the caller. */
    static final class Subject {
        @Parameters(paramLabel = "PROJECT", description = "key of the project, such as default")
        private @Nullable String project;

        @Option(names = "--me", description = "account, sessions and files of the key's user")
        private boolean me;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path to = file == null ? Path.of((subject.project == null ? "me" : subject.project) + ".zip") : file;
        if (Files.exists(to)) {
            System.err.println("The file " + to + " already exists; name another one with -o.");
            return 1;
        }
        return server.run(
                ArchiveClient::new,
                "The export failed",
                client -> subject.me || subject.project == null ? me(client, to) : export(client, subject.project, to));
    }

    private static int me(ArchiveClient client, Path to) throws IOException, InterruptedException {
        System.err.println("Fetching your data ...");
        client.download("/v1/me/export", to);
        System.err.println("Written to " + to + "; its manifest.json lists the content.");
        return 0;
    }

    private static int export(ArchiveClient client, String project, Path to) throws IOException, InterruptedException {
        String exports = "/v1/projects/" + ApiClient.encode(project) + "/exports";
        String path = exports + "/" + client.post(exports).path("id").asText();
        System.err.println("Reading the events of " + project + " ...");
        JsonNode job = client.await(path, _ -> {});
        System.err.printf("Fetching %d MiB ...%n", job.path("size").asLong() >> 20);
        client.download(path + "/archive", to, job.path("sha256").asText());
        client.delete(path);
        print(job.path("archive"));
        System.err.println("Not in it: " + texts(job.path("archive").path("absent")) + ".");
        System.err.println("Written to " + to + ".");
        return 0;
    }

    private static String texts(JsonNode list) {
        var joined = new StringJoiner(", ");
        list.forEach(item -> joined.add(item.asText()));
        return joined.toString();
    }

    static void print(JsonNode archive) {
        System.err.printf(
                "%d sessions, %d turns, %d messages, %d events, %d files, as of %s.%n",
                archive.path("sessions").asLong(),
                archive.path("turns").asLong(),
                archive.path("messages").asLong(),
                archive.path("events").asLong(),
                archive.path("blobs").asLong(),
                archive.path("instant").asText());
        var additional = new StringJoiner(", ", "", ".").setEmptyValue("");
        archive.path("more")
                .properties()
                .forEach(entry -> additional.add(entry.getValue().asLong() + " " + entry.getKey()));
        if (additional.length() > 0) {
            System.err.println(additional);
        }
        if (archive.path("missing").asLong() > 0) {
            System.err.printf(
                    "%d files were not found.%n", archive.path("missing").asLong());
        }
    }
}
