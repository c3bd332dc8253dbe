package dev.parley.platform.config.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HashiCorp Vault or OpenBao, key-value engine version 1 or 2. The variables are those of the Vault client:
 * {@code VAULT_ADDR}, {@code VAULT_TOKEN} or {@code VAULT_TOKEN_FILE} (read each time, since an agent renews it),
 * {@code VAULT_NAMESPACE}.
 *
 * @see <a href="https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2">API of Vault</a>
 */
final class Vault implements SecretManager {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int MOST = 64 << 10;
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final Map<String, String> environment;

    /** Created when the first secret is read: most installations have no vault. */
    private static final class Http {
        private static final HttpClient CLIENT = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(Redirect.NEVER) // the token must not go to another host
                .build();
    }

    Vault(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String read(String path, String field) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = Http.CLIENT.send(request(path), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            byte[] bytes = body.readNBytes(MOST + 1);
            return switch (response.statusCode()) {
                case 200 -> field(bytes, field);
                case 404 -> null;
                case 401, 403 -> throw new IOException("the vault does not let this process read it");
                default -> throw new IOException("the vault answers " + response.statusCode());
            };
        }
    }

    private HttpRequest request(String path) throws IOException {
        String address = environment.getOrDefault("VAULT_ADDR", "");
        if (!address.matches("https?://[^/\\s]\\S*")) {
            throw new IOException("VAULT_ADDR is not set to the vault's address");
        }
        var request = HttpRequest.newBuilder(URI.create(address.replaceAll("/+$", "") + "/v1/" + path))
                .timeout(ANSWER)
                .header("X-Vault-Token", token())
                .header("X-Vault-Request", "true");
        String namespace = environment.get("VAULT_NAMESPACE");
        return (namespace == null ? request : request.header("X-Vault-Namespace", namespace)).build();
    }

    private String token() throws IOException {
        String file = environment.get("VAULT_TOKEN_FILE");
        String token = file == null
                ? environment.get("VAULT_TOKEN")
                : Files.readString(Path.of(file)).strip();
        if (token == null || token.isBlank()) {
            throw new IOException("VAULT_TOKEN and VAULT_TOKEN_FILE are not set");
        }
        return token;
    }

    /** Reads a field; version 2 nests the fields beside {@code metadata}. */
    private static @Nullable String field(byte[] bytes, String field) throws IOException {
        if (bytes.length > MOST) {
            throw new IOException("the vault's answer has more than %,d bytes".formatted(MOST));
        }
        try {
            JsonNode data = JSON.readTree(bytes).path("data");
            JsonNode fields = data.path("data").isObject() && data.has("metadata") ? data.path("data") : data;
            return fields.path(field).isTextual() ? fields.path(field).asText() : null;
        } catch (JsonProcessingException e) {
            throw new IOException("the vault's answer is not valid JSON"); // the cause would quote the answer
        }
    }
}
