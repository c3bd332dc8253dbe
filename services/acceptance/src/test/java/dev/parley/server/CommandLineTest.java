package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Command lines that start no server. */
class CommandLineTest {
    private static final int WRONGLY_CALLED = 2;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, String... arguments) {
        return Parley.commandLine(environment, Program.installed())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("settings.yml"), yaml);
    }

    private Map<String, String> noFile() {
        return Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString());
    }

    @Test
    @Tag("P58")
    void defaultSettingsAreValidWithoutAFile() throws IOException {
        // When
        int status = run(
                noFile(), "validate-config", "--data", folder.resolve("data").toString());

        // Then
        assertEquals(0, status, err.toString());
        assertTrue(out.toString().startsWith("The settings are fine."), out.toString());
        assertTrue(out.toString().contains("default → scripted/scripted"), out.toString());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(0, files.count(), "it starts and writes nothing");
        }
    }

    @Test
    @Tag("P58")
    void flagsOverrideTheEnvironmentAndTheFile() throws IOException {
        // Given
        Path file = file(
                "roles: agents\nkafka: {bootstrap: 'one:9092'}\npostgres: {url: 'jdbc:postgresql://one/parley'}\n");

        // When
        int status = run(
                Map.of(
                        "PARLEY_KAFKA",
                        "two:9092",
                        "PARLEY_ROLES",
                        "channels",
                        "PARLEY_MASTER_KEY",
                        Servers.MASTER_KEY,
                        "PARLEY_INSTALLATION_KEY",
                        Servers.INSTALLATION_KEY),
                "validate-config",
                "--config",
                file.toString(),
                "--roles",
                "models,tools");

        // Then
        assertEquals(0, status, err.toString());
        assertTrue(out.toString().contains("roles     [models, tools]"), out.toString());
        assertTrue(out.toString().contains("broker    two:9092"), out.toString());
        assertTrue(out.toString().contains("database  jdbc:postgresql://one/parley"), out.toString());
    }

    @ParameterizedTest
    @Tag("P58")
    @ValueSource(strings = {"validate-config", "dev", "run", "topics"})
    void rejectsAnUnknownSetting(String command) throws IOException {
        // When
        int status = run(
                Map.of(),
                command,
                "--config",
                file("prot: 9000\n").toString(),
                "--data",
                folder.resolve("data").toString());

        // Then
        assertEquals(1, status);
        assertTrue(err.toString().contains("prot: unknown key"), err.toString());
        assertEquals(1, err.toString().lines().count(), "a sentence, no stack trace");
        assertTrue(Files.notExists(folder.resolve("data")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate-config", "dev", "topics"})
    void rejectsAnInvalidProviderOption(String command) throws IOException {
        // When
        int status = run(
                Map.of(),
                command,
                "--config",
                file("providers: {x: {baseUrl: 'http://127.0.0.1:1', options: {server: ollamma}}}\n")
                        .toString(),
                "--data",
                folder.resolve("data").toString());

        // Then
        assertEquals(1, status);
        String message = err.toString();
        assertTrue(
                message.contains("providers.x: the option 'server' of the provider 'x' is one of openai, "), message);
        assertFalse(message.contains("\tat "), message);
        assertTrue(Files.notExists(folder.resolve("data")));
    }

    @Test
    void rejectsAMissingConfigFile() {
        assertEquals(
                1,
                run(
                        Map.of(),
                        "validate-config",
                        "--config",
                        folder.resolve("none.yml").toString()));
        assertTrue(err.toString().contains("none.yml' does not exist"), err.toString());
    }

    @ParameterizedTest
    @Tag("I30")
    @ValueSource(strings = {"run --roles control", "run --roles models", "run", "dev", "validate-config"})
    void externalDatabaseNeedsAMasterKey(String command) {
        // Given
        var environment = new HashMap<>(noFile());
        environment.put("PARLEY_KAFKA", "one:9092");
        environment.put("PARLEY_POSTGRES", "jdbc:postgresql://one/parley");
        environment.put("PARLEY_DATA", folder.resolve("data").toString());

        // When
        int status = run(environment, command.split(" "));

        // Then
        assertEquals(1, status);
        assertTrue(err.toString().startsWith("PARLEY_MASTER_KEY: is needed"), err.toString());
        assertTrue(Files.notExists(folder.resolve("data")));
    }

    @ParameterizedTest
    @Tag("B60")
    @ValueSource(strings = {"run --roles channels", "run", "dev", "validate-config", "replay", "audit"})
    void externalBrokerNeedsAnInstallationKey(String command) {
        // Given
        var environment = new HashMap<>(noFile());
        environment.put("PARLEY_MASTER_KEY", Servers.MASTER_KEY);
        environment.put("PARLEY_KAFKA", "one:9092");
        environment.put("PARLEY_POSTGRES", "jdbc:postgresql://one/parley");
        environment.put("PARLEY_DATA", folder.resolve("data").toString());

        // When
        int status = run(environment, command.split(" "));

        // Then
        assertEquals(1, status);
        assertTrue(err.toString().startsWith("PARLEY_INSTALLATION_KEY: is needed"), err.toString());
        assertTrue(Files.notExists(folder.resolve("data")));
    }

    @Test
    void warnsOfAnUnknownEnvironmentVariable() {
        assertEquals(0, run(Map.of("PARLEY_PROT", "9000"), "validate-config"));
        assertTrue(err.toString().contains("did you mean PARLEY_PORT?"), err.toString());
    }

    @Test
    void helpListsTheCommandsAndTheFlags() {
        // When
        int status = run(Map.of(), "--help");

        // Then
        assertEquals(0, status);
        for (String part : new String[] {
            "dev",
            "run",
            "chat",
            "doctor",
            "channel",
            "replay",
            "topics",
            "validate-config",
            "bench",
            "--config",
            "--data",
            "--port",
            "--roles"
        }) {
            assertTrue(out.toString().contains(part), part + " in " + out);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev",
                "run",
                "chat",
                "doctor",
                "channel",
                "apply",
                "import-from",
                "replay",
                "topics",
                "validate-config",
                "bench"
            })
    void everyCommandExplainsItself(String command) {
        assertEquals(0, run(Map.of(), command, "--help"), err.toString());
        assertTrue(out.toString().startsWith("Usage: parley " + command), out.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingu", "iris", "ikigai", "light-fabric"})
    void everyImportSourcePrintsItsUsage(String system) {
        assertEquals(0, run(Map.of(), "import-from", system, "--help"), err.toString());
        assertTrue(out.toString().contains("--dry-run"), out.toString());
        assertTrue(out.toString().contains("--report"), out.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "validate-config --prot 9000", "fuzz"})
    void wrongArgumentsPrintTheUsage(String arguments) {
        assertEquals(WRONGLY_CALLED, run(Map.of(), arguments.isEmpty() ? new String[0] : arguments.split(" ")));
        assertTrue(err.toString().contains("Usage: parley"), err.toString());
    }
}
