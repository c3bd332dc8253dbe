package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
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

/** {@code parley export}: takes a project, or all that is one's own, out as a file. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Takes a project out as a file, while it is in use: its sessions as they are at one instant, agents,"
                        + " skills, tools and rules, files with their versions, memory, settings and members. With"
                        + " --me all that is one's own instead. Needs a server that runs. 0 when it is done, else 1.")
public final class ExportCommand implements Callable<Integer> {
    @ArgGroup(multiplicity = "1")
    private Subject subject = new Subject();

    @Option(names = "-o", paramLabel = "FILE", description = "the archive, instead of PROJECT.zip or me.zip")
    private @Nullable Path file;

    @Mixin
    private ServerOptions server = new ServerOptions();

    /** What is taken out. */
    static final class Subject {
        @Parameters(paramLabel = "PROJECT", description = "key of the project, such as default")
        private @Nullable String project;

        @Option(names = "--me", description = "the account, sessions and files of whose key it is")
        private boolean me;
    }

    /** Made by the command line. */
    public ExportCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Path to = file == null ? Path.of((subject.project == null ? "me" : subject.project) + ".zip") : file;
        if (Files.exists(to)) {
            System.err.println("There is a file " + to + " already; say another one with -o.");
            return 1;
        }
        try (var client = new ArchiveClient(server.connection())) {
            return subject.me || subject.project == null ? me(client, to) : export(client, subject.project, to);
        } catch (IOException e) {
            System.err.println("The export broke off: " + e.getMessage());
        } catch (RuntimeException e) {
            System.err.println(e.getMessage());
        }
        return 1;
    }

    private static int me(ArchiveClient client, Path to) throws IOException, InterruptedException {
        System.err.println("Fetching all that is yours ...");
        client.download("/v1/me/export", to);
        System.err.println("It is in " + to + "; manifest.json in it says what that is.");
        return 0;
    }

    private static int export(ArchiveClient client, String project, Path to) throws IOException, InterruptedException {
        String exports = "/v1/projects/" + ArchiveClient.encoded(project) + "/exports";
        String path = exports + "/" + client.post(exports).path("id").asText();
        System.err.println("Reading what happened in " + project + " ...");
        JsonNode job = client.await(path, _ -> {});
        System.err.printf("Fetching %d MiB ...%n", job.path("size").asLong() >> 20);
        client.download(path + "/archive", to, job.path("sha256").asText());
        client.delete(path);
        print(job.path("archive"));
        System.err.println("Not in it: " + texts(job.path("archive").path("absent")) + ".");
        System.err.println("It is in " + to + ".");
        return 0;
    }

    private static String texts(JsonNode list) {
        var all = new StringJoiner(", ");
        list.forEach(one -> all.add(one.asText()));
        return all.toString();
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
        var more = new StringJoiner(", ", "", ".").setEmptyValue("");
        archive.path("more").properties().forEach(one -> more.add(one.getValue().asLong() + " " + one.getKey()));
        if (more.length() > 0) {
            System.err.println(more);
        }
        if (archive.path("missing").asLong() > 0) {
            System.err.printf(
                    "%d files were not to be found.%n", archive.path("missing").asLong());
        }
    }
}
