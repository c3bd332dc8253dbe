package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.server.chat.Connection;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.zip.ZipFile;

/** The API, as exports and imports need it. What the server refuses is an {@link IllegalStateException} with its sentence. */
final class ArchiveClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final int PART = 8 << 20;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Connection connection;

    ArchiveClient(Connection connection) {
        this.connection = connection;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(connection.url() + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + connection.key());
    }

    JsonNode post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    /** @param idempotencyKey by which a second one is known */
    JsonNode post(String path, String json, String idempotencyKey) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(BodyPublishers.ofString(json)));
    }

    void delete(String path) throws IOException, InterruptedException {
        send(request(path).DELETE());
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IllegalStateException(
                    "Parley is not running at %s; start it with ./parley dev".formatted(connection.url()), e);
        }
        if (response.statusCode() >= 300) {
            throw refused(response.statusCode(), response.body());
        }
        return parse(response.body());
    }

    private static IllegalStateException refused(int status, String body) {
        String why = status == 401 ? "The key is wrong" : "The server answered " + status;
        return new IllegalStateException(parse(body).path("detail").asText(why));
    }

    private static JsonNode parse(String body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json == null ? MissingNode.getInstance() : json;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /** Waits until a job is at work no more. */
    JsonNode await(String path, Consumer<JsonNode> progress) throws IOException, InterruptedException {
        while (true) {
            JsonNode job = send(request(path).GET());
            String state = job.path("state").asText();
            if (state.equals("failed")) {
                throw new IllegalStateException(failure(job));
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
        job.path("refused").forEach(one -> text.append("\n  ").append(one.asText()));
        return text.toString();
    }

    /** Says whether a file is what was sent. */
    @FunctionalInterface
    private interface Check {
        boolean isWhole(Path file, MessageDigest digest) throws IOException;
    }

    /** Fetches bytes into a file, which is whole or not there. */
    void download(String path, Path file, String sha256) throws IOException, InterruptedException {
        download(
                path,
                file,
                (_, digest) -> HexFormat.of().formatHex(digest.digest()).equals(sha256));
    }

    /** Fetches a ZIP whose last entry is a manifest: nobody knows before the end what is in it. */
    void download(String path, Path file) throws IOException, InterruptedException {
        download(path, file, (part, _) -> {
            try (var zip = new ZipFile(part.toFile())) {
                return zip.getEntry("manifest.json") != null;
            }
        });
    }

    private void download(String path, Path file, Check check) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = http.send(request(path).GET().build(), BodyHandlers.ofInputStream());
        Path part = Path.of(file + ".part");
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw refused(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            MessageDigest digest = sha256();
            Files.copy(new DigestInputStream(body, digest), part, StandardCopyOption.REPLACE_EXISTING);
            if (!check.isWhole(part, digest)) {
                throw new IllegalStateException("The archive did not arrive as it was sent; try again");
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
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

    @Override
    public void close() {
        http.shutdownNow();
    }
}
