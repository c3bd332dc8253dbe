package dev.parley.platform.config.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.config.secret.Secrets.MissingException;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    private static final String REFERENCE = "vault:secret/data/models/openai#api_key";
    private static final String SECOND_VERSION = """
            {"data":{"data":{"api_key":"%s","other":7},"metadata":{"version":3}}}""";

    @TempDir
    Path folder;

    private HttpDouble vault;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void open() throws IOException {
        vault = new HttpDouble();
    }

    @AfterEach
    void close() {
        vault.close();
    }

    private Map<String, String> environment() {
        return Map.of("VAULT_ADDR", vault.url().toString(), "VAULT_TOKEN", "a-token");
    }

    private Secrets secrets(Map<String, String> environment) {
        return new Secrets(environment, Set.of(REFERENCE), new Vault(environment), () -> now);
    }

    private static String failure(Secrets secrets) {
        return assertThrows(MissingException.class, () -> secrets.get(REFERENCE))
                .getMessage();
    }

    @Test
    @Tag("A3")
    void readsAFieldOfAPathFromTheVault() {
        // Given
        vault.answers(HttpDouble.json(200, SECOND_VERSION.formatted("one")));

        // When
        String key = secrets(environment()).get(REFERENCE);

        // Then
        assertEquals("one", key);
        assertEquals("/v1/secret/data/models/openai", vault.seen().getFirst().path());
        assertEquals("a-token", vault.seen().getFirst().header("X-Vault-Token"));
    }

    @Test
    void supportsEngineVersionOneNamespacesAndTokenFiles() throws IOException {
        // Given
        vault.answers(HttpDouble.json(200, "{\"data\":{\"api_key\":\"one\"}}"));
        var environment = new HashMap<>(environment());
        environment.put("VAULT_NAMESPACE", "team");
        environment.put(
                "VAULT_TOKEN_FILE",
                Files.writeString(folder.resolve("token"), "renewed\n").toString());

        // When
        String key = secrets(environment).get(REFERENCE);

        // Then
        assertEquals("one", key);
        assertEquals("team", vault.seen().getFirst().header("X-Vault-Namespace"));
        assertEquals("renewed", vault.seen().getFirst().header("X-Vault-Token"));
    }

    @Test
    @Tag("A3")
    void refreshesAfterAMinuteAndToleratesTenMinutesOfOutage() {
        // Given
        Secrets secrets = secrets(environment());
        vault.answers(
                HttpDouble.json(200, SECOND_VERSION.formatted("one")),
                HttpDouble.json(200, SECOND_VERSION.formatted("two")),
                HttpDouble.json(503, "{}"),
                HttpDouble.json(503, "{}"));

        // When
        assertEquals("one", secrets.get(REFERENCE));
        assertEquals("one", secrets.get(REFERENCE));

        // Then
        assertEquals(1, vault.seen().size());
        now = now.plus(Duration.ofMinutes(1));
        assertEquals("two", secrets.get(REFERENCE));
        now = now.plus(Duration.ofMinutes(9));
        assertEquals("two", secrets.get(REFERENCE));
        now = now.plus(Duration.ofMinutes(2));
        assertTrue(failure(secrets).endsWith("cannot be read: the vault answers 503"), failure(secrets));
    }

    @Test
    void reportsVaultErrorsWithoutTheSecret() {
        // Given
        vault.answers(
                HttpDouble.json(403, "{\"errors\":[\"permission denied\"]}"),
                HttpDouble.json(404, "{\"errors\":[]}"),
                HttpDouble.json(200, "{\"data\":{\"other\":\"hidden-value\"}}"),
                HttpDouble.json(200, "hidden-value"),
                HttpDouble.json(302, "{}", "Location", vault.url() + "/v1/elsewhere"));

        // Then
        assertTrue(failure(secrets(environment())).contains("does not let this process read it"));
        assertTrue(failure(secrets(environment())).endsWith("is missing or empty"));
        assertTrue(failure(secrets(environment())).endsWith("is missing or empty"));
        String failure = failure(secrets(environment()));
        assertTrue(failure.endsWith("the vault's answer is not valid JSON"), failure);
        assertFalse(failure.contains("hidden-value"), failure);
        assertTrue(failure(secrets(environment())).endsWith("the vault answers 302"));
        assertEquals(5, vault.seen().size(), "the token was sent nowhere else");
        assertTrue(failure(secrets(Map.of())).contains("VAULT_ADDR is not set"));
        assertTrue(
                failure(secrets(Map.of("VAULT_ADDR", vault.url().toString()))).contains("VAULT_TOKEN"));
    }

    @Test
    void failureKeepsItsCauseButNotTheAnswer() {
        // Given
        vault.answers(HttpDouble.json(503, "{}"), HttpDouble.json(200, "hidden-value"));
        Secrets secrets = secrets(environment());

        // When
        var unavailable = assertThrows(MissingException.class, () -> secrets.get(REFERENCE));
        var unreadable = assertThrows(MissingException.class, () -> secrets.get(REFERENCE));

        // Then
        assertEquals("the key " + REFERENCE + " cannot be read: the vault answers 503", unavailable.getMessage());
        assertEquals("java.io.IOException: the vault answers 503", String.valueOf(unavailable.getCause()));
        assertEquals(
                "java.io.IOException: the vault's answer is not valid JSON", String.valueOf(unreadable.getCause()));
        assertNull(unreadable.getCause().getCause());
    }

    @Test
    void onlyReferencesOfTheConfigurationAreFollowed() {
        var secrets = new Secrets(Map.of("KEY", "x"), List.of("env:KEY"));

        assertEquals("x", secrets.get("env:KEY"));
        assertThrows(MissingException.class, () -> secrets.get(REFERENCE));
        assertThrows(MissingException.class, () -> secrets.get("env:OTHER"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vault:secret#key",
                "vault:secret/../sys/seal#key",
                "vault:/secret/a#key",
                "vault:secret/a",
                "vault:secret/a?x=1#key",
                "vault:secret/a b#key",
                "env:1",
                "sk-123"
            })
    void invalidReferenceDoesNotMatch(String reference) {
        assertFalse(Secrets.REFERENCE.matcher(reference).matches());
    }
}
