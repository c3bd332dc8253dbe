package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a server and an API key. Defaults are read from the data folder: the address of the running server, and
 * the administrator's key.
 *
 * @param data the data folder
 */
public record ServerConnection(String url, String key, Path data) {
    private static final String DEFAULT_URL = "http://127.0.0.1:8080";

    /**
     * Resolves URL and key from flags, environment and data folder, in this order.
     *
     * @throws CommandException when no key is found
     */
    public static ServerConnection find(
            @Nullable String url, @Nullable String key, Path data, Map<String, String> environment) {
        String foundUrl = first(url, environment.get("PARLEY_URL"), running(data), local(environment));
        String foundKey = first(key, environment.get("PARLEY_ADMIN_KEY"), content(data.resolve("admin.key")), null);
        if (foundKey == null) {
            throw new CommandException(
                    "There is no key in %s. Is this the data folder of the server? Otherwise set --key, --data or PARLEY_ADMIN_KEY."
                            .formatted(data.resolve("admin.key")));
        }
        return new ServerConnection(strip(foundUrl == null ? DEFAULT_URL : foundUrl), foundKey, data);
    }

    /** The connection with the current address, which may change when the server restarts. */
    public ServerConnection withCurrentAddress() {
        String now = running(data);
        boolean isLocal = url.startsWith("http://127.0.0.1:") || url.startsWith("http://localhost:");
        return now == null || !isLocal ? this : new ServerConnection(strip(now), key, data);
    }

    private static @Nullable String local(Map<String, String> environment) {
        String port = environment.get("PARLEY_PORT");
        return port == null ? null : "http://127.0.0.1:" + port;
    }

    private static @Nullable String running(Path data) {
        Path file = data.resolve("runtime.json");
        try {
            JsonNode url = Files.isRegularFile(file)
                    ? JsonMappers.stored().readTree(Files.readString(file)).get("url")
                    : null;
            return url == null ? null : url.asText();
        } catch (IOException e) {
            return null; // a server that starts or stops is writing or deleting it
        }
    }

    private static @Nullable String content(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            throw new CommandException("The file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static @Nullable String first(@Nullable String... values) {
        for (String value : values) {
            if (value != null && !value.isBlank()) {
                return value.strip();
            }
        }
        return null;
    }

    private static String strip(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    @Override
    public String toString() {
        return "Connection[" + url + "]";
    }
}
