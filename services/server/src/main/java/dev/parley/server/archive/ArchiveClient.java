package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.Sha256;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ApiProblem;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.zip.ZipFile;

/** The HTTP client of exports and imports. */
final class ArchiveClient extends ApiClient {
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int PART = 8 << 20;

    ArchiveClient(ServerConnection connection) {
        super(connection);
    }

    /**
     * Polls a job until it ends.
     *
     * @throws CommandException when it fails
     */
    JsonNode await(String path, Consumer<JsonNode> progress) throws IOException, InterruptedException {
        while (true) {
            JsonNode job = get(path);
            String state = job.path("state").asText();
            if (state.equals("failed")) {
                throw new CommandException(failure(job));
            }
            if (!state.equals("running")) {
                return job;
            }
            progress.accept(job);
            Thread.sleep(PAUSE);
        }
    }

    private static String failure(JsonNode job) {
        var text = new StringBuilder(job.path("detail").asText("It failed."));
        job.path("refused").forEach(item -> text.append("\n  ").append(item.asText()));
        return text.toString();
    }

    /** Checks that a file is complete. */
    @FunctionalInterface
    private interface Check {
        boolean isComplete(Path file, MessageDigest digest) throws IOException;
    }

    /** Downloads to a file, which exists only when it is complete. */
    void download(String path, Path file, String sha256) throws IOException, InterruptedException {
        download(
                path,
                file,
                (_, digest) -> HexFormat.of().formatHex(digest.digest()).equals(sha256));
    }

    /** Downloads a ZIP without a known digest; it is complete when it has a manifest, its last entry. */
    void download(String path, Path file) throws IOException, InterruptedException {
        download(path, file, (part, _) -> {
            try (var zip = new ZipFile(part.toFile())) {
                return zip.getEntry("manifest.json") != null;
            }
        });
    }

    private void download(String path, Path file, Check check) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = http().send(request(path).GET().build(), BodyHandlers.ofInputStream());
        Path part = Path.of(file + ".part");
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw toException(
                        ApiProblem.of(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8)));
            }
            MessageDigest digest = Sha256.digest();
            Files.copy(new DigestInputStream(body, digest), part, StandardCopyOption.REPLACE_EXISTING);
            if (!check.isComplete(part, digest)) {
                throw new CommandException("The archive did not arrive intact; try again");
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Sends a file in parts. */
    void upload(String path, Path file) throws IOException, InterruptedException {
        try (FileChannel bytes = FileChannel.open(file)) {
            var part = ByteBuffer.allocate(PART);
            for (long from = 0; bytes.read(part.clear()) > 0; from += part.limit()) {
                part.flip();
                send(request(path + "?from=" + from)
                        .header("Content-Type", "application/octet-stream")
                        .PUT(BodyPublishers.ofByteArray(part.array(), 0, part.limit())));
            }
        }
    }
}
