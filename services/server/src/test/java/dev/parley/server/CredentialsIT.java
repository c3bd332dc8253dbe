package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.sealing.MasterKeys;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys of model providers, from those who give them to the doubles of the providers. Before the tests the master key is changed
 * once: a first process keeps two keys, a second one goes on with another master key. Each test has a provider of its own.
 */
class CredentialsIT {
    private static final String OLD = "b2xkLW1hc3Rlci1rZXktb2YtdGhpcy10ZXN0LTMyYnk=";
    private static final String CONFIGURED = "sk-sentinel-operator-0001";
    private static final String BEFORE = "sk-sentinel-before-rotation-0002";
    private static final String NAMED = "sk-sentinel-named-0003";

    @TempDir
    static Path folder;

    private static HttpDouble models;
    private static Servers servers;
    private static Leaks leaks;
    private static Instance instance;
    private static Api admin;
    private static Api ann;
    private static Api bob;
    private static String before;
    private static String named;

    @BeforeAll
    static void start() throws IOException {
        models = new HttpDouble();
        servers = new Servers(folder);
        leaks = new Leaks(servers);
        Files.writeString(folder.resolve("key"), CONFIGURED + "\n");
        configure("file:" + folder.resolve("key"));
        try (Instance first = Instance.start(ConfigReader.read(environment("credentials-1", OLD)))) {
            admin = new Api(first.url(), first.adminKey());
            before = keep(admin, "?owner=host", "rotated", BEFORE).path("id").asText();
            named = keep(admin, "?owner=host", "chosen", NAMED).path("id").asText();
        }
        configure("cred:" + named);
        instance = Instance.start(ConfigReader.read(environment("credentials-2", Servers.MASTER_KEY + "," + OLD)));
        admin = new Api(instance.url(), instance.adminKey());
        somebody("boss");
        ann = somebody("ann");
        bob = somebody("bob");
    }

    @AfterAll
    static void stop() {
        instance.close();
        leaks.close();
        servers.close();
        models.close();
    }

    private static Map<String, String> environment(String name, String masterKey) {
        var environment = new HashMap<>(servers.environment(name, 2));
        environment.put("PARLEY_MASTER_KEY", masterKey);
        return environment;
    }

    /** Providers that are all the same double, with an agent for each of them. */
    private static void configure(String reference) throws IOException {
        var yaml = new StringBuilder("providers:\n");
        for (String name : List.of("order", "chosen", "rotated", "damaged", "leaky", "shown", "only")) {
            yaml.append("  %s: { kind: openai, baseUrl: \"%s\", apiKey: \"file:%s\" }%n"
                    .formatted(name, models.url(), folder.resolve("key")));
        }
        yaml.append("  keyless: { kind: openai, baseUrl: \"%s\", apiKey: \"file:%s\" }%n"
                .formatted(models.url(), folder.resolve("none")));
        yaml.append("agents:\n");
        for (String name : List.of("order", "rotated", "damaged", "leaky", "keyless")) {
            yaml.append("  - { name: %1$s, model: %1$s/gpt-5 }%n".formatted(name));
        }
        yaml.append("  - { name: chosen, model: chosen/gpt-5, apiKey: \"%s\" }%n".formatted(reference));
        Files.writeString(folder.resolve("parley.yml"), yaml);
    }

    /** Somebody who is in the default project. */
    private static Api somebody(String name) {
        var who = Map.of("username", name, "password", "a long password of " + name);
        assertEquals(201, admin.post("/v1/auth/register", who).status());
        var token = admin.post("/v1/auth/login", who).json().path("token").asText();
        return new Api(instance.url(), token);
    }

    private static JsonNode keep(Api who, String owner, String provider, String key) {
        var made = who.post("/v1/credentials" + owner, Map.of("provider", provider, "apiKey", key));
        assertEquals(201, made.status(), made.text());
        assertFalse(made.text().contains("sentinel"), made.text());
        return made.json();
    }

    private static JsonNode say(Api who, String session, String agent) {
        var answer = who.post(
                "/v1/sessions/" + session + "/turns?wait=60s", Map.of("text", "a word to find", "agent", agent));
        assertEquals(200, answer.status(), answer.text());
        assertFalse(answer.text().contains("sentinel"), answer.text());
        return answer.json();
    }

    private static HttpDouble.Reply ok() {
        String item =
                "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"output_text\",\"text\":\"Yes.\",\"annotations\":[]}]}";
        return HttpDouble.events(
                "{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":" + item + "}",
                "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\",\"model\":\"gpt-5\",\"output\":["
                        + item + "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
    }

    /** The key that the provider sees with the next turn. */
    private static String paidWith(Api who, String session, String agent) {
        models.answers(ok());
        JsonNode turn = say(who, session, agent);
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        return models.seen().getLast().header("Authorization").replace("Bearer ", "");
    }

    /** Who paid for the calls of an agent, in their order. */
    private static List<String> payers(String agent) throws Exception {
        try (Connection connection = leaks.owner();
                Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            return Leaks.strings(statement, """
                    SELECT payer || coalesce(' ' || credential_id, '') FROM sessions.model_call_t
                    WHERE provider_id = '%s' ORDER BY completed_ts""".formatted(agent));
        }
    }

    @Test
    @Tag("I30")
    void aKeyIsKeptAndNotShown() {
        // When
        JsonNode made = keep(ann, "", "shown", "sk-sentinel-shown-abcd");

        // Then
        String id = made.path("id").asText();
        assertEquals("abcd", made.path("last4").asText());
        assertEquals("user", made.path("owner").asText());
        assertTrue(made.path("isDefault").asBoolean(), "the first one is the default");
        assertEquals(made, ann.get("/v1/credentials/" + id).json());
        assertEquals(List.of(made), ann.list("/v1/credentials?provider=shown"));
        assertEquals("", keep(ann, "", "only", "short").path("last4").asText());

        // Then others do not know it, nor is it the host's
        assertEquals(404, bob.get("/v1/credentials/" + id).status());
        assertEquals(404, bob.delete("/v1/credentials/" + id).status());
        assertEquals(
                404,
                bob.patch("/v1/credentials/" + id, Map.of("name", "x"), Map.of("If-Match", "*"))
                        .status());
        assertEquals(404, admin.get("/v1/credentials/" + id + "?owner=host").status());
        assertEquals(403, ann.get("/v1/credentials?owner=host").status());
        assertEquals(403, ann.get("/v1/credentials/sealing").status());
        assertEquals(400, ann.get("/v1/credentials?owner=bob").status());

        // Then a change needs the version that was seen
        String path = "/v1/credentials/" + id;
        assertEquals(428, ann.patch(path, Map.of("name", "x")).status());
        assertEquals(
                412,
                ann.patch(path, Map.of("name", "x"), Map.of("If-Match", "\"9\""))
                        .status());
        var changed =
                ann.patch(path, Map.of("name", "x", "apiKey", "sk-sentinel-shown-wxyz"), Map.of("If-Match", "\"1\""));
        assertEquals("wxyz", changed.json().path("last4").asText(), changed.text());
        assertEquals("x", changed.json().path("name").asText());
    }

    @Test
    @Tag("I33")
    void whatCannotBeKeptIsRefusedWithoutRepeatingIt() {
        for (String body : List.of(
                "{\"provider\":\"nobody\",\"apiKey\":\"sk-sentinel-x\"}",
                "{\"provider\":\"shown\",\"apiKey\":\"sk sentinel x\"}",
                "{\"provider\":\"shown\",\"apiKey\":{\"sk-sentinel-x\":1}}",
                "{\"provider\":\"shown\",\"apiKey\":\"sk-sentinel-x\" oops}",
                "{\"provider\":\"shown\",\"isDefault\":\"sk-sentinel-x\"}",
                "{\"provider\":\"shown\"}")) {
            var refused = ann.post("/v1/credentials", body);
            assertEquals(400, refused.status(), body);
            assertFalse(refused.text().contains("sentinel"), refused.text());
        }
        var unknown = ann.post("/v1/credentials", Map.of("provider", "nobody", "apiKey", "x"));
        assertEquals("unknown_provider", unknown.json().path("code").asText());
        assertTrue(unknown.json().path("detail").asText().contains("anthropic, chosen, damaged"), unknown.text());
    }

    @Test
    @Tag("I31")
    @Tag("I32")
    void eachProviderHasOneDefault() {
        // Given
        String first = keep(bob, "", "only", "sk-sentinel-one").path("id").asText();

        // When
        var again = bob.post("/v1/credentials", Map.of("provider", "only", "apiKey", "sk-sentinel-two"));
        var second =
                bob.post("/v1/credentials", Map.of("provider", "only", "apiKey", "sk-sentinel-two", "name", "two"));
        var third = bob.post(
                "/v1/credentials",
                Map.of("provider", "only", "apiKey", "sk-sentinel-three", "name", "three", "isDefault", true));

        // Then
        assertEquals(409, again.status(), again.text());
        assertFalse(second.json().path("isDefault").asBoolean());
        assertEquals("three", defaults());

        // When
        var path = "/v1/credentials/" + second.json().path("id").asText();
        assertEquals(
                200,
                bob.patch(path, Map.of("isDefault", true), Map.of("If-Match", "*"))
                        .status());

        // Then
        assertEquals("two", defaults());
        assertEquals(
                400,
                bob.patch(path, Map.of("isDefault", false), Map.of("If-Match", "*"))
                        .status());

        // When
        assertEquals(204, bob.delete(path).status());

        // Then
        assertEquals("three", defaults(), "the newest that is left");
        bob.delete("/v1/credentials/" + third.json().path("id").asText());
        bob.delete("/v1/credentials/" + first);
        assertEquals("", defaults());
    }

    private static String defaults() {
        return bob.list("/v1/credentials?provider=only").stream()
                .filter(one -> one.path("isDefault").asBoolean())
                .map(one -> one.path("name").asText())
                .reduce((one, other) -> one + " " + other)
                .orElse("");
    }

    @Test
    void theUsersKeyGoesBeforeTheHostsAndThatBeforeTheOperators() throws Exception {
        assertEquals(CONFIGURED, paidWith(ann, "web:order-1", "order"));

        String host = keep(admin, "?owner=host", "order", "sk-sentinel-host")
                .path("id")
                .asText();
        Awaitility.await().until(() -> paidWith(ann, "web:order-1", "order").equals("sk-sentinel-host"));
        String own = keep(ann, "", "order", "sk-sentinel-ann").path("id").asText();
        Awaitility.await().until(() -> paidWith(ann, "web:order-1", "order").equals("sk-sentinel-ann"));
        assertEquals("sk-sentinel-host", paidWith(bob, "web:order-2", "order"));

        ann.delete("/v1/credentials/" + own);
        Awaitility.await().until(() -> paidWith(ann, "web:order-1", "order").equals("sk-sentinel-host"));

        Awaitility.await().until(() -> payers("order").getLast().equals("host " + host));
        assertEquals("operator", payers("order").getFirst());
        assertTrue(payers("order").contains("user " + own), payers("order").toString());
    }

    @Test
    void theAgentsKeyGoesBeforeAllOthers() throws Exception {
        keep(ann, "", "chosen", "sk-sentinel-not-this");

        assertEquals(NAMED, paidWith(ann, "web:chosen", "chosen"));

        Awaitility.await().until(() -> payers("chosen").equals(List.of("agent " + named)));
    }

    @Test
    @Tag("I33")
    void withoutAKeyTheTurnFailsAndSaysSo() {
        int asked = models.seen().size();

        JsonNode turn = say(bob, "web:keyless", "keyless");

        assertEquals("FAILED", turn.path("state").asText(), turn.toString());
        assertEquals("auth", turn.path("error").path("type").asText());
        assertTrue(turn.path("reply").asText().contains("no API key for provider keyless"), turn.toString());
        assertEquals(asked, models.seen().size(), "nobody is asked");
    }

    @Test
    @Tag("I33")
    void aDamagedKeyFailsTheCallAndNothingElse() throws Exception {
        // Given
        String id = keep(bob, "", "damaged", "sk-sentinel-damaged").path("id").asText();
        try (Connection connection = leaks.owner();
                Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            statement.execute("""
                    UPDATE control.provider_credential_t SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)
                    WHERE credential_id = '%s'""".formatted(id));
        }

        // When
        JsonNode turn = say(bob, "web:damaged", "damaged");

        // Then
        assertEquals("FAILED", turn.path("state").asText(), turn.toString());
        assertEquals("auth", turn.path("error").path("type").asText());
        assertTrue(leaks.log().contains("a credential cannot be opened [credential=\"" + id), leaks.log());
        assertEquals(CONFIGURED, paidWith(ann, "web:damaged-2", "damaged"), "another one's calls go on");
    }

    @Test
    @Tag("I34")
    void anotherMasterKeyTakesOverWhileCallsGoOn() throws Exception {
        assertEquals(BEFORE, paidWith(bob, "web:rotated", "rotated"));

        String old = Long.toString(MasterKeys.parse(OLD).first());
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        0,
                        admin.get("/v1/credentials/sealing")
                                .json()
                                .path("waiting")
                                .asInt(-1)));
        JsonNode sealing = admin.get("/v1/credentials/sealing").json();
        assertEquals(
                MasterKeys.parse(Servers.MASTER_KEY).first(),
                sealing.path("current").asLong());
        assertEquals(old, sealing.path("keys").path(1).path("id").asText(), sealing.toString());
        assertEquals(0, sealing.path("keys").path(1).path("credentials").asInt(-1));
        assertEquals(BEFORE, opened(UUID.fromString(before)), "the old key is not needed");
        assertEquals(BEFORE, paidWith(bob, "web:rotated", "rotated"));
        assertTrue(leaks.log().contains("sealed anew"), "the log says it");
    }

    /** What the new master key alone opens. */
    private static String opened(UUID id) throws Exception {
        try (Connection connection = leaks.owner();
                Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            try (ResultSet row = statement.executeQuery(
                    "SELECT host_id, sealed, master_key_id FROM control.provider_credential_t WHERE credential_id = '"
                            + id + "'")) {
                row.next();
                return new Sealing(MasterKeys.parse(Servers.MASTER_KEY))
                        .open(row.getBytes(2), row.getLong(3), row.getObject(1, UUID.class), id);
            }
        }
    }

    @Test
    @Tag("I30")
    void noKeyStandsAnywhere() throws Exception {
        // Given
        String key = "an-unusual.key(sentinel)";
        keep(ann, "", "leaky", key);
        assertEquals(key, paidWith(ann, "web:leaky", "leaky"));
        models.answers(HttpDouble.json(401, "{\"error\":{\"message\":\"I do not know " + key + "\"}}"));

        // When
        JsonNode refused = say(ann, "web:leaky", "leaky");

        // Then
        assertEquals("auth", refused.path("error").path("type").asText(), refused.toString());
        Awaitility.await().until(() -> !leaks.tables("I do not know ***").isEmpty());
        assertEquals(List.of(), leaks.topics("sentinel"));
        assertEquals(List.of(), leaks.tables("sentinel"));
        assertFalse(leaks.log().contains("sentinel"), leaks.log());
        assertTrue(leaks.topics("a word to find").size() >= 2, "the search finds what is there");
        assertTrue(leaks.tables("a word to find").contains("sessions.agent_message_part_t"));
    }
}
