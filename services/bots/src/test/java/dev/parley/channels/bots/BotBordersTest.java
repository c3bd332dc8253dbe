package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Groups;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotDocuments;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.testkit.InvalidDocuments;
import dev.parley.platform.testkit.InvalidDocuments.Invalid;
import dev.parley.platform.testkit.teams.FakeTeams;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One document of a bot at all borders: a file, a request and a row. */
class BotBordersTest {
    private static final Map<String, String> SECTIONS = Map.of(
            "telegram",
            "telegram",
            "slack",
            "slack",
            "discord",
            "discord",
            "whatsapp",
            "whatsapp",
            "teams",
            "teams",
            "webhook",
            "webhooks");
    private static final Map<String, String> USERS = Map.of(
            "telegram",
            "648079060",
            "slack",
            "U012AB3CD",
            "discord",
            "400000000000000001",
            "whatsapp",
            "US.13491208655302741918",
            "teams",
            "6fa459ea-ee8a-3ca4-894e-db77e160355e",
            "webhook",
            "ann");
    private static final Map<String, String> TOKENS = Map.of(
            "telegram", "42:sk-sentinel-bot-token_0123456789",
            "slack", "xoxb-1-2-sk-sentinel-token_0123456789",
            "discord", "sk-sentinel-0123456789.abc.0123456789",
            "whatsapp", "EAAsk-sentinel-token_0123456789",
            "teams", "sk-sentinel-token_0123456789",
            "webhook", "sk-sentinel-0123456789");

    private static final Map<String, Map<String, String>> SETTINGS = Map.of(
            "whatsapp", Map.of("phoneNumberId", "106540352242922", "template", "update/en_US"),
            "teams", Map.of("appId", FakeTeams.APP, "tenant", FakeTeams.TENANT));

    @TempDir
    Path folder;

    /** A bot in which no field has its default. */
    private static Map<String, Object> full(String kind) {
        var bot = new LinkedHashMap<String, Object>();
        bot.put("name", "desk");
        bot.put("agent", "default");
        bot.put("allowedUsers", List.of(USERS.get(kind)));
        bot.put("allowAll", true);
        bot.put("stream", kind.equals("webhook"));
        bot.put("url", "https://example.com/in");
        if (SETTINGS.containsKey(kind)) {
            bot.put("settings", SETTINGS.get(kind));
        }
        if (!kind.equals("webhook")) {
            bot.put("pairing", true);
            bot.put("groups", "all");
            bot.put("listen", true);
            bot.put("drafts", false);
            bot.put("richMessages", false);
        }
        return bot;
    }

    // ---- borders

    private BotConfig ofFile(String kind, Map<String, @Nullable Object> document) throws IOException {
        var entry = new LinkedHashMap<String, @Nullable Object>(document);
        if (!kind.equals("webhook")) {
            entry.put("apiUrl", entry.remove("url"));
        }
        entry.put(kind.equals("webhook") ? "secret" : "token", "env:T");
        if (kind.equals("slack")) {
            entry.put("appToken", "env:A");
        }
        if (kind.equals("whatsapp")) {
            entry.put("appSecret", "env:A");
        }
        if (entry.remove("settings") instanceof Map<?, ?> settings) {
            settings.forEach((name, value) -> entry.put(String.valueOf(name), value));
        }
        Path file = folder.resolve("parley.yml");
        Files.writeString(file, JsonMappers.yaml().writeValueAsString(Map.of(SECTIONS.get(kind), List.of(entry))));
        return ConfigReader.read(Map.of("PARLEY_CONFIG", file.toString()))
                .bots()
                .getFirst();
    }

    private static BotConfig ofRequest(String kind, Map<String, @Nullable Object> document) {
        var body = new LinkedHashMap<String, @Nullable Object>(document);
        body.put("kind", kind);
        body.put("token", TOKENS.get(kind));
        if (kind.equals("slack")) {
            body.put("secrets", Map.of("appToken", "xapp-1-sk-sentinel-token_0123456789"));
        }
        if (kind.equals("whatsapp")) {
            body.put("secrets", Map.of("appSecret", "0123456789abcdef0123456789abcdef"));
        }
        return new BotRequest(JsonNode.from(body)).read(null).bot();
    }

    private static BotConfig ofRow(BotConfig bot) {
        return new ProjectBot(
                        new UUID(1, 1),
                        new UUID(1, 2),
                        bot.name(),
                        new UUID(1, 3),
                        bot.project(),
                        bot.kind(),
                        ProjectBot.settings(bot),
                        new byte[1],
                        1L,
                        "6789",
                        1,
                        true,
                        Instant.EPOCH,
                        "test")
                .stored()
                .require();
    }

    @ParameterizedTest
    @ValueSource(strings = {"telegram", "slack", "discord", "whatsapp", "teams", "webhook"})
    @Tag("B171")
    void aBotIsTheSameAtAllBorders(String kind) throws IOException {
        // Given
        Map<String, @Nullable Object> document = new LinkedHashMap<>(full(kind));

        // When
        BotConfig requested = ofRequest(kind, document);

        // Then
        BotConfig configured = ofFile(kind, document);
        assertEquals(
                configured.withToken("").withSecrets(Map.of()),
                requested.withToken("").withSecrets(Map.of()));
        BotConfig stored = ofRow(requested);
        assertEquals(configured.secrets().keySet(), stored.secrets().keySet());
        assertEquals(
                configured.withToken("").withSecrets(Map.of()),
                stored.withToken("").withSecrets(Map.of()));
        document.keySet().removeAll(Set.of("name"));
        assertTrue(
                full("whatsapp")
                        .keySet()
                        .containsAll(BotDocuments.settings(stored).keySet()),
                "each one is tested");
        BotDocuments.settings(stored)
                .forEach((field, value) -> assertEquals(document.getOrDefault(field, value), value, field));
    }

    @ParameterizedTest
    @ValueSource(strings = {"telegram", "slack", "discord", "whatsapp", "teams", "webhook"})
    void whatADocumentLeavesOutHasTheDefaultOfItsKind(String kind) throws IOException {
        // Given
        Map<String, @Nullable Object> document = new LinkedHashMap<>(Map.of("name", "desk"));
        if (kind.equals("webhook")) {
            document.put("url", "https://example.com/in");
        }
        if (kind.equals("whatsapp")) {
            document.put("settings", Map.of("phoneNumberId", "106540352242922"));
        }
        if (kind.equals("teams")) {
            document.put("settings", SETTINGS.get(kind));
        }

        // Then
        BotConfig requested = ofRequest(kind, document);
        assertEquals(
                ofFile(kind, document).withToken("").withSecrets(Map.of()),
                requested.withToken("").withSecrets(Map.of()));
        assertEquals(!kind.equals("webhook"), requested.streams());
        assertEquals(kind.equals("webhook") ? Groups.OFF : Groups.MENTION, requested.groups());
        assertEquals(requested.apiUrl(), ofRow(requested).apiUrl());
    }

    @Test
    void idsInFilesMayBeNumbers() throws IOException {
        // Given
        Map<String, @Nullable Object> document = new LinkedHashMap<>(full("discord"));

        // When
        document.put("allowedUsers", List.of("400000000000000001", 400_000_000_000_000_002L));

        // Then
        assertEquals(
                Set.of("400000000000000001", "400000000000000002"),
                ofFile("discord", document).allowedUsers());
        assertEquals(
                ofFile("discord", document).allowedUsers(),
                ofRequest("discord", document).allowedUsers());
    }

    record OfKind(String kind, Invalid invalid) {
        /** Bots of platforms have the name of their kind where a file names none. */
        boolean isNamedByItsSection() {
            return !kind.equals("webhook") && invalid.document().get("name") == null;
        }

        /** In a file the settings of a kind are fields of their own. */
        boolean isOfItsKind() {
            return invalid.field().startsWith("settings");
        }
    }

    static Stream<OfKind> invalid() {
        return SECTIONS.keySet().stream()
                .sorted()
                .flatMap(kind -> Stream.concat(
                                InvalidDocuments.of(BotConfig.class, full(kind)),
                                ofKind(kind).entrySet().stream()
                                        .map(field -> new Invalid(
                                                field.getKey(),
                                                InvalidDocuments.with(full(kind), field.getKey(), field.getValue()))))
                        .map(invalid -> new OfKind(kind, invalid)))
                .filter(test -> !test.isNamedByItsSection() && !test.isOfItsKind());
    }

    private static Map<String, Object> ofKind(String kind) {
        return kind.equals("webhook")
                ? Map.of(
                        "allowedUsers",
                        List.of("a b"),
                        "pairing",
                        true,
                        "groups",
                        "all",
                        "listen",
                        true,
                        "url",
                        "https://a:p@c.example")
                : Map.of("allowedUsers", List.of("ann"), "groups", "some", "url", "ftp://example.com", "name", "A b");
    }

    @ParameterizedTest
    @MethodSource("invalid")
    @Tag("B171")
    void aFaultIsTheSameAtAllBorders(OfKind test) {
        // Given
        String kind = test.kind();
        Map<String, @Nullable Object> document = test.invalid().document();

        // When
        String ofFile = refusal(() -> ofFile(kind, document))
                .replace(SECTIONS.get(kind) + "[0].", "")
                .replaceFirst("^apiUrl:", "url:");

        // Then
        String ofRequest = refusal(() -> ofRequest(kind, document)).replaceAll("The field '([^']*)' ", "$1: ");
        assertEquals(ofRequest.replaceFirst("; known .*", ""), ofFile.replaceFirst("; known .*", ""));
        assertTrue(ofFile.startsWith(test.invalid().field().replaceFirst("[.\\[].*", "")), ofFile);
    }

    @ParameterizedTest
    @ValueSource(strings = {"phoneNumberId", "template"})
    @Tag("B209")
    void aSettingOfAKindHasTheSameFormAtAllBorders(String setting) {
        // Given
        Map<String, @Nullable Object> document = new LinkedHashMap<>(full("whatsapp"));
        var settings = new LinkedHashMap<Object, Object>((Map<?, ?>) document.get("settings"));
        settings.put(setting, "+1 555");
        document.put("settings", settings);

        // When
        String ofFile = refusal(() -> ofFile("whatsapp", document));
        String ofRequest = refusal(() -> ofRequest("whatsapp", document));

        // Then
        assertTrue(ofFile.startsWith("whatsapp[0]." + setting + ": is the "), ofFile);
        assertTrue(ofRequest.startsWith("The field 'settings." + setting + "' is the "), ofRequest);
        assertTrue(refusal(() -> ofRequest("telegram", document)).contains("settings"), "other kinds have none");
    }

    private interface Border {
        Object read() throws IOException;
    }

    private static String refusal(Border border) {
        return String.valueOf(assertThrows(RuntimeException.class, border::read).getMessage());
    }
}
