package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import dev.parley.domain.Ids;
import dev.parley.platform.sealing.MasterKeys;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys of model providers, from the API to fake providers. Before the tests the master key is changed once: a first
 * process stores some keys, a second has the new and the old master key, and the tested one has the new one only. Each
 * test has its own provider.
 */
class CredentialsIT {
    private static final String OLD = "b2xkLW1hc3Rlci1rZXktb2YtdGhpcy10ZXN0LTMyYnk=";
    private static final String LOST = "bG9zdC1tYXN0ZXIta2V5LW9mLXRoaXMtdGVzdC0zMmI=";
    private static final String CONFIGURED = "sk-sentinel-operator-0001";
    private static final String BEFORE = "sk-sentinel-before-rotation-0002";
    private static final String NAMED = "sk-sentinel-named-0003";

    private static final String LEAKY = "an-unusual.key(sentinel)";
    private static final String HOOK = "secret-of-the-integration-of-no-form";
    private static final String MAIL = "secret-of-the-mail-server";
    private static final Pattern HIDDEN = Pattern.compile("[^0-9A-Za-z][0-9A-Za-z]{43}$");
    private static final Pattern CODE = Pattern.compile("(?m)^[0-9A-Za-z]{43}(?=\\s*$)");

    @TempDir
    static Path folder;

    private static HttpDouble models;
    private static HookReceiver integration;
    private static GreenMail mail;
    private static Servers servers;
    private static Leaks leaks;
    private static Instance instance;
    private static Api admin;
    private static Api ann;
    private static Api bob;
    private static String named;
    private static String lost;
    private static JsonNode rotated;

    @BeforeAll
    static void changeTheMasterKey() throws Exception {
        models = new HttpDouble();
        integration = new HookReceiver(HOOK);
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.setUser("sender@example.com", "sender", MAIL);
        mail.start();
        servers = new Servers(folder);
        leaks = new Leaks(servers);
        Files.writeString(folder.resolve("key"), CONFIGURED + "\n");
        Files.writeString(folder.resolve("hook"), HOOK);
        Files.writeString(folder.resolve("mail"), MAIL);
        configure("file:" + folder.resolve("key"));
        try (Instance first = Instances.start(environment("credentials-1", OLD))) {
            admin = Api.of(first);
            store(admin, "?owner=host", "rotated", BEFORE);
            named = store(admin, "?owner=host", "chosen", NAMED).path("id").asText();
            lost = store(admin, "?owner=host", "lost", "sk-sentinel-lost-0004")
                    .path("id")
                    .asText();
        }
        sealBy(LOST, lost, "sk-sentinel-lost-0004");
        configure("cred:" + named);
        String masterKeys = Servers.MASTER_KEY + "," + OLD;
        try (Instance second = Instances.start(environment("credentials-2", masterKeys))) {
            admin = Api.of(second);
            assertEquals(BEFORE, usedKey(admin, "web:rotated", "rotated"));
            Awaitility.await().until(() -> sealing().path("waiting").asInt(-1) == 1); // the one that no key can decrypt
            rotated = sealing();
            assertEquals(BEFORE, usedKey(admin, "web:rotated", "rotated"));
        }
        instance = Instances.start(environment("credentials-3", Servers.MASTER_KEY));
        admin = Api.of(instance);
        admin.signUp("boss");
        ann = admin.signUp("ann");
        bob = admin.signUp("bob");
    }

    @AfterAll
    static void stop() {
        instance.close();
        leaks.close();
        servers.close();
        mail.stop();
        integration.close();
        models.close();
    }

    private static Map<String, String> environment(String name, String masterKey) {
        var environment = new HashMap<>(servers.environment(name, 2));
        environment.put("PARLEY_MASTER_KEY", masterKey);
        return environment;
    }

    /** Providers that share one fake server, with an agent for each of them. */
    private static void configure(String reference) throws IOException {
        var yaml = new StringBuilder("providers:\n");
        for (String name :
                List.of("order", "chosen", "rotated", "lost", "damaged", "secret", "leaky", "shown", "only")) {
            yaml.append("  %s: { kind: openai, baseUrl: \"%s\", apiKey: \"file:%s\" }%n"
                    .formatted(name, models.url(), folder.resolve("key")));
        }
        yaml.append("  keyless: { kind: openai, baseUrl: \"%s\", apiKey: \"file:%s\" }%n"
                .formatted(models.url(), folder.resolve("none")));
        yaml.append("agents:\n");
        for (String name : List.of("order", "rotated", "lost", "damaged", "secret", "leaky", "keyless")) {
            yaml.append("  - { name: %1$s, model: %1$s/gpt-5 }%n".formatted(name));
        }
        yaml.append("  - { name: chosen, model: chosen/gpt-5, apiKey: \"%s\" }%n".formatted(reference));
        yaml.append("""
                webhooks:
                  - { name: slackish, url: "%s", secret: "file:%s", allowAll: true }
                mail: { host: 127.0.0.1, port: %d, starttls: false, user: sender, password: "file:%s", from: "Parley <p@example.com>" }
                """.formatted(
                integration.url(), folder.resolve("hook"), mail.getSmtp().getPort(), folder.resolve("mail")));
        Files.writeString(folder.resolve("parley.yml"), yaml);
    }

    private static JsonNode store(Api api, String owner, String provider, String key) {
        var created = api.create("/v1/credentials" + owner, Map.of("provider", provider, "apiKey", key));
        assertFalse(created.text().contains("sentinel"), created.text());
        return created.json();
    }

    private static JsonNode say(Api api, String session, String agent) {
        var answer = api.turn(session, Map.of("text", "a word to find", "agent", agent));
        assertEquals(200, answer.status(), answer.text());
        assertFalse(answer.text().contains("sentinel"), answer.text());
        return answer.json();
    }

    private static HttpDouble.Reply ok() {
        return Responses.reply(Responses.message("Yes."));
    }

    /** The key that the provider gets with the next turn. */
    private static String usedKey(Api api, String session, String agent) {
        models.answers(ok());
        JsonNode turn = say(api, session, agent);
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        return models.seen().getLast().header("Authorization").replace("Bearer ", "");
    }

    /** The credentials used by the model calls of an agent, in order. */
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
    void storedKeyIsNotReturnedAndOnlyItsOwnerSeesTheEntry() {
        // When
        JsonNode created = store(ann, "", "shown", "sk-sentinel-shown-abcd");

        // Then
        String id = created.path("id").asText();
        assertEquals("abcd", created.path("last4").asText());
        assertEquals("user", created.path("owner").asText());
        assertTrue(created.path("isDefault").asBoolean(), "the first one is the default");
        assertEquals(created, ann.get("/v1/credentials/" + id).json());
        assertEquals(List.of(created), ann.list("/v1/credentials?provider=shown"));
        assertEquals("", store(ann, "", "only", "short").path("last4").asText());

        // Then it is hidden from others, and does not belong to the host
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

        // Then a change needs the current version
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
    void rejectsInvalidCredentialsWithoutRepeatingThem() {
        // Then
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
        String first = store(bob, "", "only", "sk-sentinel-one").path("id").asText();

        // When
        var duplicate = bob.post("/v1/credentials", Map.of("provider", "only", "apiKey", "sk-sentinel-two"));
        var second =
                bob.post("/v1/credentials", Map.of("provider", "only", "apiKey", "sk-sentinel-two", "name", "two"));
        var third = bob.post(
                "/v1/credentials",
                Map.of("provider", "only", "apiKey", "sk-sentinel-three", "name", "three", "isDefault", true));

        // Then
        assertEquals(409, duplicate.status(), duplicate.text());
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
                .filter(credential -> credential.path("isDefault").asBoolean())
                .map(credential -> credential.path("name").asText())
                .reduce((first, second) -> first + " " + second)
                .orElse("");
    }

    @Test
    void userKeyOverridesHostKeyAndOperatorKey() throws Exception {
        assertEquals(CONFIGURED, usedKey(ann, "web:order-1", "order"));

        String hostCredential = store(admin, "?owner=host", "order", "sk-sentinel-host")
                .path("id")
                .asText();
        Awaitility.await().until(() -> usedKey(ann, "web:order-1", "order").equals("sk-sentinel-host"));
        String userCredential =
                store(ann, "", "order", "sk-sentinel-ann").path("id").asText();
        Awaitility.await().until(() -> usedKey(ann, "web:order-1", "order").equals("sk-sentinel-ann"));
        assertEquals("sk-sentinel-host", usedKey(bob, "web:order-2", "order"));

        ann.delete("/v1/credentials/" + userCredential);
        Awaitility.await().until(() -> usedKey(ann, "web:order-1", "order").equals("sk-sentinel-host"));

        List<String> payers = Awaitility.await()
                .until(
                        () -> payers("order"),
                        found -> found.contains("user " + userCredential)
                                && found.getLast().equals("host " + hostCredential));
        assertEquals("operator", payers.getFirst());
    }

    @Test
    void agentKeyOverridesAllOthers() throws Exception {
        store(ann, "", "chosen", "sk-sentinel-not-this");

        assertEquals(NAMED, usedKey(ann, "web:chosen", "chosen"));

        Awaitility.await().until(() -> payers("chosen").equals(List.of("agent " + named)));
    }

    @Test
    @Tag("I33")
    void turnWithoutAKeyFailsWithAnAuthError() {
        int requests = models.seen().size();

        JsonNode turn = say(bob, "web:keyless", "keyless");

        assertEquals("FAILED", turn.path("state").asText(), turn.toString());
        assertEquals("auth", turn.path("error").path("type").asText());
        assertTrue(turn.path("reply").asText().contains("no API key for provider keyless"), turn.toString());
        assertEquals(requests, models.seen().size(), "nobody is asked");
    }

    @Test
    @Tag("I33")
    void damagedKeyFailsOnlyItsCalls() throws Exception {
        // Given
        String id = store(bob, "", "damaged", "sk-sentinel-damaged").path("id").asText();
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
        assertTrue(leaks.log().contains("credential cannot be decrypted [credential=\"" + id), leaks.log());
        assertEquals(CONFIGURED, usedKey(ann, "web:damaged-2", "damaged"), "another one's calls go on");
    }

    @Test
    @Tag("I34")
    void resealsCredentialsUnderANewMasterKey() {
        JsonNode keys = rotated.path("keys");
        assertEquals(id(Servers.MASTER_KEY), rotated.path("current").asText());
        assertEquals(id(Servers.MASTER_KEY), keys.path(0).path("id").asText(), rotated.toString());
        assertEquals(2, keys.path(0).path("credentials").asInt(), rotated.toString());
        assertEquals(id(OLD), keys.path(1).path("id").asText(), rotated.toString());
        assertEquals(0, keys.path(1).path("credentials").asInt(-1), rotated.toString());
        assertTrue(leaks.log().contains("credentials resealed"), "the log says it");
    }

    @Test
    @Tag("I34")
    void processRunsWithoutTheOldMasterKey() {
        assertEquals(BEFORE, usedKey(bob, "web:rotated-later", "rotated"));
        assertFalse(sealing().toString().contains(id(OLD)), "it is not even known: " + sealing());
    }

    @Test
    @Tag("I34")
    void reportsCredentialsOfALostMasterKeyAndAcceptsANewKey() {
        // Given
        String missingKey = "the master key " + id(LOST) + ", which sealed it, is missing";
        assertTrue(leaks.log().contains("credential could not be resealed [credential=\"" + lost), leaks.log());
        String sealed = "{\"id\":\"%s\",\"present\":false,\"credentials\":1}".formatted(id(LOST));
        assertTrue(sealing().path("keys").toString().contains(sealed), sealing().toString());
        String found = doctor();
        assertTrue(
                found.contains("!!   credentials: the master key " + id(LOST) + " is not in PARLEY_MASTER_KEY"), found);

        // When
        int requests = models.seen().size();
        JsonNode turn = say(bob, "web:lost", "lost");

        // Then
        assertEquals("FAILED", turn.path("state").asText(), turn.toString());
        assertEquals("auth", turn.path("error").path("type").asText());
        assertFalse(turn.path("reply").asText().contains(id(LOST)), "operators know it, people need not: " + turn);
        assertTrue(leaks.log().contains(missingKey), leaks.log());
        assertEquals(requests, models.seen().size(), "nobody is asked");
        assertEquals(BEFORE, usedKey(bob, "web:rotated-2", "rotated"));

        // When its owner stores it again
        assertEquals(
                200,
                admin.patch(
                                "/v1/credentials/" + lost + "?owner=host",
                                Map.of("apiKey", "sk-sentinel-lost-given-again"),
                                Map.of("If-Match", "*"))
                        .status());

        // Then
        models.answers(ok());
        Awaitility.await()
                .until(() -> say(bob, "web:lost", "lost").path("state").asText().equals("COMPLETED"));
        assertEquals(
                "Bearer sk-sentinel-lost-given-again", models.seen().getLast().header("Authorization"));
        assertEquals(0, sealing().path("waiting").asInt(-1));
        assertTrue(doctor().contains("ok   credentials"), doctor());
    }

    private static String id(String masterKey) {
        return Long.toString(MasterKeys.parse(masterKey).first());
    }

    private static JsonNode sealing() {
        return admin.get("/v1/credentials/sealing").json();
    }

    private static String doctor() {
        var environment = environment("credentials-3", Servers.MASTER_KEY);
        environment.put("PARLEY_CONFIG", folder.resolve("none.yml").toString());
        return CommandRun.of(environment, "doctor").out();
    }

    /** Seals a credential with a lost master key. */
    private static void sealBy(String masterKey, String id, String secret) throws Exception {
        try (Connection connection = leaks.owner();
                PreparedStatement statement = connection.prepareStatement("""
                        UPDATE control.provider_credential_t SET sealed = ?, master_key_id = ? WHERE credential_id = ?::uuid
                        """)) {
            connection.createStatement().execute("SET app.host = '*'");
            var sealed = new Sealing(MasterKeys.parse(masterKey))
                    .seal(secret, Ids.of("host", "default"), UUID.fromString(id));
            statement.setBytes(1, sealed.bytes());
            statement.setLong(2, sealed.key());
            statement.setString(3, id);
            assertEquals(1, statement.executeUpdate());
        }
    }

    @Test
    @Tag("I30")
    void masksAKeyInAProviderError() throws Exception {
        // Given
        store(ann, "", "leaky", LEAKY);
        assertEquals(LEAKY, usedKey(ann, "web:leaky", "leaky"));
        models.answers(HttpDouble.json(401, "{\"error\":{\"message\":\"I do not know " + LEAKY + "\"}}"));

        // When
        JsonNode refused = say(ann, "web:leaky", "leaky");

        // Then
        assertEquals("auth", refused.path("error").path("type").asText(), refused.toString());
        Awaitility.await().until(() -> !leaks.tables("I do not know ***").isEmpty());
        assertEquals(Map.of(), leaks.places(List.of(LEAKY, "sentinel")));
    }

    @Test
    @Tag("I23")
    @Tag("I30")
    void usedSecretsAreNotInTopicsTablesOrTheLog() throws Exception {
        // Given used secrets of all kinds
        var secrets = new LinkedHashMap<String, String>();
        secrets.put("master key", Servers.MASTER_KEY);
        secrets.put(
                "bytes of the master key",
                new String(Base64.getDecoder().decode(Servers.MASTER_KEY), StandardCharsets.UTF_8));
        secrets.put("installation's key", Servers.KEY);
        secrets.put("operator's key of a provider", CONFIGURED);
        secrets.put("password of the database", servers.database().app().password());
        secrets.put("secret of the webhook", HOOK);
        secrets.put("password of the mail server", MAIL);
        store(ann, "", "secret", "sk-of-no-known-form/0005");
        assertEquals("sk-of-no-known-form/0005", usedKey(ann, "web:secrets", "secret"));
        secrets.put("credential", "sk-of-no-known-form/0005");
        var registration =
                Map.of("username", "carl", "password", "a long password of carl", "email", "carl@example.com");
        String carl = created(admin.post("/v1/auth/register", registration))
                .path("id")
                .asText();
        secrets.put("password", "a long password of carl");
        JsonNode signIn = admin.post("/v1/auth/login", login("carl", "a long password of carl"))
                .json();
        secrets.put("token", hidden(signIn.path("token")));
        secrets.put("refresh token", signIn.path("refreshToken").asText());
        secrets.put("end of the refresh token", hidden(signIn.path("refreshToken")));
        String wrong = "almost the password of carl";
        assertEquals(401, admin.post("/v1/auth/login", login("carl", wrong)).status());
        secrets.put("wrong password", wrong);
        Api signedIn = new Api(instance.url(), signIn.path("token").asText());
        JsonNode apiKey = created(signedIn.post("/v1/api-keys", Map.of("name", "x")));
        secrets.put("key of the API", hidden(apiKey.path("apiKey")));
        Api program = new Api(instance.url(), apiKey.path("apiKey").asText());
        assertEquals(
                "COMPLETED",
                program.say("web:positive", "!say positive control of sessions")
                        .path("state")
                        .asText());
        String ticket =
                created(program.post("/v1/tickets", Map.of())).path("ticket").asText();
        secrets.put("ticket", ticket);
        openAndCloseStream("/v1/sessions/web:positive/events?ticket=" + ticket);
        Awaitility.await().until(() -> program.get("/v1/sessions/web:positive").status() == 200);
        String link = created(program.post("/v1/sessions/web:positive/share", Map.of()))
                .path("url")
                .asText();
        secrets.put("link", hidden(link));
        assertEquals(
                200,
                new Api(instance.url(), "")
                        .get("/v1/shared/" + link.substring(link.lastIndexOf('/') + 1))
                        .status());
        String linking = created(signedIn.post("/v1/me/channel-links", Map.of()))
                .path("code")
                .asText();
        secrets.put("code of a channel link", linking);
        sendToWebhook("C-positive", "!say positive control of channels");
        assertEquals(
                202,
                admin.post("/v1/auth/email", Map.of("email", "carl@example.com"))
                        .status());
        Awaitility.await().until(() -> mail.getReceivedMessages().length == 1);
        Matcher mailed = CODE.matcher(GreenMailUtil.getBody(mail.getReceivedMessages()[0]));
        assertTrue(mailed.find());
        secrets.put("code by e-mail", mailed.group());
        assertEquals(
                200,
                admin.post("/v1/auth/email/code", Map.of("code", mailed.group()))
                        .status());
        String signInCode = created(admin.post("/v1/users/" + carl + "/sign-in-code", Map.of()))
                .path("code")
                .asText();
        secrets.put("code by an administrator", signInCode);
        assertEquals(
                200, admin.post("/v1/auth/code", Map.of("code", signInCode)).status());

        // Given texts in each schema, and in each encoding
        var controls = new LinkedHashMap<String, String>();
        String name = "positive control of control";
        created(admin.post("/v1/projects", Map.of("name", name)));
        controls.put("control", name);
        controls.put("sessions", "positive control of sessions");
        controls.put("channels", "C-positive");
        controls.put("agents", carl);
        assertEquals(
                201,
                admin.put("/v1/projects/default/files/content?path=/positive.txt", "positive control of tools")
                        .status());
        controls.put("tools", "positive control of tools");
        String bank = "/v1/banks/"
                + created(admin.post("/v1/banks", Map.of("scope", "host")))
                        .path("id")
                        .asText();
        assertEquals(
                200,
                admin.post(bank + "/docs?wait=60s", Map.of("text", "Positive control of memory."))
                        .status());
        controls.put("memory", "Positive control of memory.");
        var workflow = admin.postYaml("/v1/workflows", """
                document: { dsl: '1.0.3', namespace: test, name: control, version: '1.0.0' }
                do: [ { say: { set: { words: positive control of workflows } } } ]
                """);
        assertEquals(201, workflow.status(), workflow.text());
        controls.put("workflows", "positive control of workflows");
        String hex = HexFormat.of().formatHex("control in hex".getBytes(StandardCharsets.UTF_8));
        String base64 = Base64.getEncoder().encodeToString("a control in base64".getBytes(StandardCharsets.UTF_8));
        admin.say("web:coded", "!say " + hex);
        admin.say("web:coded", "!say " + base64);
        for (var control : controls.entrySet()) {
            Awaitility.await()
                    .until(() -> leaks.tables(control.getValue()).stream()
                            .anyMatch(table -> table.startsWith(control.getKey() + ".")));
        }
        for (String word : List.of("positive control of sessions", hex, base64)) {
            Awaitility.await().until(() -> leaks.tables(word).contains("sessions.agent_message_part_t"));
        }

        // Then the same search finds these texts
        var words = new ArrayList<>(secrets.values());
        words.addAll(controls.values());
        words.addAll(List.of("control in hex", "control in base64"));
        Map<String, Set<String>> places = leaks.places(words);
        controls.forEach((schema, control) -> assertTrue(
                places.getOrDefault(control, Set.of()).stream().anyMatch(place -> place.startsWith(schema + ".")),
                () -> control + " in " + places));
        assertEquals(controls.keySet(), schemas(), "no schema is left out");
        for (String word : List.of("positive control of sessions", "control in hex", "control in base64")) {
            assertTrue(
                    places.getOrDefault(word, Set.of())
                            .containsAll(Set.of("turn-events", "sessions.agent_message_part_t")),
                    () -> word + " in " + places);
        }

        // Then it finds no secret
        var found = new TreeMap<String, Set<String>>();
        secrets.forEach((kind, secret) -> {
            if (places.containsKey(secret)) {
                found.put(kind, places.get(secret));
            }
        });
        assertEquals(Map.of(), found);
    }

    private static JsonNode created(Api.Answer answer) {
        assertTrue(answer.status() < 300, answer.text());
        return answer.json();
    }

    private static Map<String, String> login(String name, String password) {
        return Map.of("username", name, "password", password);
    }

    /** The secret part of a token. */
    private static String hidden(JsonNode token) {
        return hidden(token.asText());
    }

    private static String hidden(String token) {
        assertTrue(HIDDEN.matcher(token).find(), "no token");
        return token.substring(token.length() - 43);
    }

    /** The schemas with non-empty tables other than Flyway's. */
    private static Set<String> schemas() throws Exception {
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement()) {
            return new LinkedHashSet<>(Leaks.strings(statement, """
                    SELECT DISTINCT table_schema FROM information_schema.tables
                    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"""));
        }
    }

    /** Opens a stream of events, and closes it, as a browser does. */
    private static void openAndCloseStream(String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(instance.url() + path)).build();
        try (var http = HttpClient.newHttpClient()) {
            var opened = http.send(request, BodyHandlers.ofInputStream());
            assertEquals(200, opened.statusCode());
            opened.body().close();
        }
    }

    /** Sends a message to a webhook bot and waits for its reply. */
    private static void sendToWebhook(String chat, String text) throws Exception {
        int before = integration.messages(chat).size();
        String body = "{\"id\":\"%s\",\"chat\":\"%s\",\"user\":{\"id\":\"U1\",\"name\":\"Ann\"},\"text\":\"%s\"}"
                .formatted(UUID.randomUUID(), chat, text);
        var request = HttpRequest.newBuilder(URI.create(instance.url() + "/hooks/slackish"))
                .header("Content-Type", "application/json")
                .header(
                        "Parley-Signature",
                        HookReceiver.sign(HOOK, Instant.now().getEpochSecond(), body))
                .POST(BodyPublishers.ofString(body))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            assertEquals(202, http.send(request, BodyHandlers.ofString()).statusCode());
        }
        Awaitility.await().until(() -> integration.messages(chat).size() > before);
    }
}
