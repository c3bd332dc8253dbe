package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.server.Browser.Answer;
import dev.parley.server.IssuerDouble.Flaw;
import dev.parley.server.IssuerDouble.Person;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The complete server process, with fake identity providers and a fake mail server. */
@DisabledIfSystemProperty(
        named = "parley.containers",
        matches = "true",
        disabledReason = "reads the code that comes with an embedded database")
class SignInIT {
    private static final String PASSWORD = "correct horse battery";
    private static final String AUDIENCE = "https://parley.example.com";
    private static final Pattern CODE = Pattern.compile("code[=]?[^\\n]*?([0-9A-Za-z]{43})", Pattern.DOTALL);
    private static final Pattern ACCOUNT = Pattern.compile("account \"([^\"]+)\"");
    private static final Pattern TYPED = Pattern.compile("(?m)^([0-9A-Za-z]{43})\\s*$");

    @TempDir
    static Path folder;

    private static IssuerDouble one;
    private static IssuerDouble two;
    private static HttpDouble gitHub;
    private static GreenMail mail;
    private static Instance instance;

    private Browser browser;

    @BeforeAll
    static void start() throws IOException {
        one = new IssuerDouble();
        two = new IssuerDouble();
        gitHub = new HttpDouble();
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.setUser("sender@example.com", "sender", "of-the-mail-server");
        mail.start();
        Files.writeString(folder.resolve("secret"), IssuerDouble.SECRET);
        Files.writeString(folder.resolve("mail"), "of-the-mail-server");
        Files.writeString(folder.resolve("parley.yml"), """
                signIn:
                  providers:
                    one: { title: "The one", issuer: "%1$s", clientId: parley, clientSecret: "file:%4$s" }
                    two: { issuer: "%2$s", clientId: parley, clientSecret: "file:%4$s" }
                    github: { url: "%3$s", clientId: parley, clientSecret: "file:%4$s" }
                  redirects: ["https://app.example.com/signed-in"]
                  issuers:
                    - issuer: "%1$s"
                      audience: ["https://parley.example.com"]
                    - issuer: "%2$s"
                      audience: ["https://parley.example.com"]
                      opens: { claim: scope, values: { parley.read: [session.read, project.read], parley: ["*"] } }
                mail: { host: 127.0.0.1, port: %5$d, starttls: false, user: sender, password: "file:%6$s", from: "Parley <p@example.com>" }
                """.formatted(
                        one.url(),
                        two.url(),
                        gitHub.url(),
                        folder.resolve("secret"),
                        mail.getSmtp().getPort(),
                        folder.resolve("mail")));
        instance = Instances.start(folder.resolve("data"));
        onlyTheOperatorAddsTheFirstAdministrator();
    }

    /** Before anything else: pages of any site, by any name, and people who know no secret of the server. */
    private static void onlyTheOperatorAddsTheFirstAdministrator() throws IOException {
        var raw = new RawHttp(instance.url());
        String own = "Host: " + instance.url().substring("http://".length());
        String body = "{\"username\":\"mallory\",\"password\":\"a long password\"}";
        String register = "POST /v1/auth/register";
        assertEquals(421, raw.send(register, body, "Host: rebound.evil.example").status());
        assertEquals(
                403,
                raw.send(register, body, own, "Origin: http://evil.example").status());
        assertEquals(
                403, raw.send(register, body, own, "Sec-Fetch-Site: cross-site").status());
        try (var stranger = new Browser(instance.url())) {
            for (String code : List.of("", "wrong", instance.adminKey())) {
                Answer refused = stranger.post(
                        "/v1/auth/register", Map.of("username", "mallory", "password", PASSWORD, "code", code));
                assertEquals(403, refused.status(), refused.text());
                assertEquals("first_administrator", refused.code());
            }
            URI question = stranger.open("/v1/auth/oauth/one").location();
            Answer federated = stranger.open(one.agrees(question, stranger()));
            assertEquals("first_administrator", federated.code(), federated.text());
            String code = instance.firstAdministratorCode().orElseThrow();
            Answer added = stranger.post(
                    "/v1/auth/register", Map.of("username", "operator", "password", PASSWORD, "code", code));
            assertEquals(201, added.status(), added.text());
            assertEquals("admin", added.json().path("role").asText());
            assertTrue(instance.firstAdministratorCode().isEmpty(), "used");
            Answer second = stranger.post(
                    "/v1/auth/register", Map.of("username", "second", "password", PASSWORD, "code", code));
            assertEquals("user", second.json().path("role").asText(), second.text());
        }
        assertEquals(
                PosixFilePermissions.fromString("rw-------"),
                Files.getPosixFilePermissions(folder.resolve("data/first-administrator.code")));
    }

    @Test
    @Tag("B54")
    void theFirstAdministratorWasAddedByTheOperator() {
        assertTrue(instance.firstAdministratorCode().isEmpty(), "see the start of this class");
        assertEquals(
                401,
                browser.post("/v1/auth/login", Map.of("username", "mallory", "password", PASSWORD))
                        .status());
    }

    @Test
    @Tag("B55")
    void guessesOfOthersNeitherLockAnAccountNorAnAddress() {
        // Given a person with a known browser, and one without
        String ann = name();
        String bob = name();
        register(ann);
        register(bob);
        browser.login(ann, PASSWORD);
        try (var stranger = new Browser(instance.url())) {
            // When the name of ann is guessed from their address, and many others behind the same proxy
            int last = 0;
            for (int i = 0; i < 12 && last != 429; i++) {
                last = stranger.post("/v1/auth/login", Map.of("username", ann, "password", "wrong"))
                        .status();
            }
            for (int i = 0; i < 30; i++) {
                stranger.post("/v1/auth/login", Map.of("username", name(), "password", "wrong"));
            }

            // Then
            assertEquals(429, last);
            assertEquals(200, guess(ann, PASSWORD).status(), "a known browser");
            assertEquals(
                    200,
                    stranger.post("/v1/auth/login", Map.of("username", bob, "password", PASSWORD))
                            .status());
        }
    }

    @Test
    @Tag("B56")
    void anAddressThatNobodyProvedKeepsNobodyFromTheirs() throws Exception {
        // Given somebody who enters the address of another person, in another form
        String name = name();
        String address = name + "@example.com";
        String squatter = name();
        String taken = browser.post(
                        "/v1/auth/register",
                        Map.of("username", squatter, "password", PASSWORD, "email", name + "\uFF20Example.COM"))
                .json()
                .path("id")
                .asText();

        // When
        String owner = register(name);

        // Then both can sign in, and whoever proves the address has it
        assertEquals(
                200,
                browser.post("/v1/auth/login", Map.of("email", address, "password", PASSWORD))
                        .status());
        browser.post("/v1/auth/email", Map.of("email", address));
        Map<String, String> codes = codesByAccount(name);
        assertEquals(Set.of(name, squatter), codes.keySet());
        JsonNode person = user(browser.post("/v1/auth/email/code", Map.of("code", codes.get(name))));
        assertEquals(owner, person.path("id").asText());
        assertEquals(address, person.path("email").asText());
        Answer loser = browser.open("/v1/users/" + taken, instance.adminKey());
        assertTrue(loser.json().path("email").isNull(), loser.text());
        assertEquals(
                401,
                browser.post("/v1/auth/email/code", Map.of("code", codes.get(squatter)))
                        .status());
        Answer later = browser.post("/v1/auth/register", Map.of("username", name(), "email", address));
        assertEquals("email_taken", later.code(), later.text());
        String token = browser.login(squatter, PASSWORD).path("token").asText();
        assertEquals(
                409,
                browser.send("PATCH", "/v1/me", Map.of("email", address), token).status());
    }

    /** The codes of the letters to an address by the account that they name. */
    private static Map<String, String> codesByAccount(String name) {
        var codes = new HashMap<String, String>();
        for (String text : received(name, 2)) {
            codes.put(firstGroup(ACCOUNT, text), firstGroup(TYPED, text));
        }
        return codes;
    }

    @Test
    @Tag("B57")
    void signingOutOfTheConsoleEndsEveryCopyOfTheCookie() {
        // Given the console with a key of the installation, and with a sign-in
        String name = name();
        register(name);
        JsonNode granted = browser.login(name, PASSWORD);
        for (String key : List.of(instance.adminKey(), granted.path("token").asText())) {
            String cookie = consoleCookie(key);
            var raw = new RawHttp(instance.url());
            String own = "Host: " + instance.url().substring("http://".length());
            assertEquals(
                    200, raw.send("GET /v1/me", "", own, "Cookie: " + cookie).status());

            // When
            assertEquals(
                    204,
                    raw.send("DELETE /console/sign-in", "", own, "Cookie: " + cookie, "Parley-Page: 1")
                            .status());

            // Then
            assertEquals(
                    401, raw.send("GET /v1/me", "", own, "Cookie: " + cookie).status());
            assertEquals(
                    200,
                    raw.send("GET /v1/me", "", own, "Cookie: " + consoleCookie(instance.adminKey()))
                            .status());
        }
        assertNull(browser.whoIs(granted.path("token").asText()), "the sign-in has ended too");
        assertEquals(
                401,
                browser.post(
                                "/v1/auth/refresh",
                                Map.of(
                                        "refreshToken",
                                        granted.path("refreshToken").asText()))
                        .status());
    }

    private static String consoleCookie(String key) {
        String answer = new RawHttp(instance.url())
                .send(
                        "POST /console/sign-in",
                        "{}",
                        "Host: " + instance.url().substring("http://".length()),
                        "Authorization: Bearer " + key)
                .text();
        return answer.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("set-cookie: parley-sign-in="))
                .map(line -> line.substring("set-cookie: ".length()).split(";")[0])
                .findFirst()
                .orElseThrow(() -> new AssertionError(answer));
    }

    @AfterAll
    static void stop() {
        instance.close();
        mail.stop();
        gitHub.close();
        two.close();
        one.close();
    }

    @BeforeEach
    void openBrowser() {
        browser = new Browser(instance.url());
    }

    /** Resets the rate limits, as all tests come from one address. */
    @AfterEach
    void forgiven() {
        browser.close();
        update("DELETE FROM control.auth_attempt_t");
    }

    private static int update(String sql, Object... values) {
        return instance.beans().getBean(Database.class).in(Tenant.ALL, transaction -> transaction.update(sql, values));
    }

    private static String name() {
        return "p" + UUID.randomUUID().toString().replace("-", "");
    }

    private static Person stranger() {
        String name = name();
        return new Person("subject " + name, name, name + "@example.com", true);
    }

    private String register(String name) {
        Answer answer = browser.post(
                "/v1/auth/register", Map.of("username", name, "email", name + "@example.com", "password", PASSWORD));
        assertEquals(201, answer.status(), answer.text());
        return answer.json().path("id").asText();
    }

    private Answer signIn(IssuerDouble issuer, String provider, Person person) {
        URI question = browser.open("/v1/auth/oauth/" + provider).location();
        return browser.open(issuer.agrees(question, person));
    }

    private JsonNode user(Answer granted) {
        assertEquals(200, granted.status(), granted.text());
        assertEquals("no-store", granted.header("Cache-Control"));
        return browser.open("/v1/me", granted.json().path("token").asText()).json();
    }

    @Test
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    void rejectsATakenUsernameOrEmail() {
        // When
        String name = name();
        String id = register(name);

        // Then
        assertEquals(
                id, browser.whoIs(browser.login(name, PASSWORD).path("token").asText()));
        Answer sameName = browser.post("/v1/auth/register", Map.of("username", name.toUpperCase(Locale.ROOT)));
        assertEquals(409, sameName.status());
        assertEquals("username_taken", sameName.code());
        update("UPDATE control.user_t SET email_proved_ts = now() WHERE username = ?", name);
        Answer sameAddress = browser.post(
                "/v1/auth/register",
                Map.of("username", name(), "email", name.toUpperCase(Locale.ROOT) + "@Example.com"));
        assertEquals(409, sameAddress.status());
        assertEquals("email_taken", sameAddress.code());
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    201,
                    browser.post("/v1/auth/register", Map.of("username", name()))
                            .status(),
                    "several have no address");
        }
        Answer profile = browser.open(
                "/v1/me", browser.login(name, PASSWORD).path("token").asText());
        assertFalse(profile.text().toLowerCase(Locale.ROOT).contains("password"), profile.text());
        assertEquals("{}", profile.json().path("preferences").toString());
        assertFalse(profile.json().path("createdAt").isMissingNode());
        assertEquals(400, browser.post("/v1/auth/register", Map.of()).status());
        assertEquals(
                400,
                browser.post("/v1/auth/register", Map.of("username", "", "password", ""))
                        .status());
    }

    private static int hashed(String name) {
        return instance.beans()
                .getBean(Database.class)
                .in(
                        Tenant.ALL,
                        transaction -> transaction.query(
                                "SELECT count(*) FROM control.user_t WHERE username = ? AND password_hash ~ '^\\$2[aby]\\$'",
                                row -> row.next() ? row.getInt(1) : 0,
                                name));
    }

    private Instant lastLogin(String token) {
        return Instant.parse(
                browser.open("/v1/me", token).json().path("lastLoginAt").asText());
    }

    @Test
    void limitsRegistrationsPerIpAddress() {
        // When
        Answer last = null;
        for (int i = 0; i <= 60; i++) {
            last = browser.post("/v1/auth/register", Map.of("username", name()));
        }

        // Then
        assertEquals(429, last.status(), last.text());
        assertTrue(Integer.parseInt(last.header("Retry-After")) > 3_000, last.header("Retry-After"));
        assertEquals(
                201,
                browser.post("/v1/auth/register", Map.of("username", name()), instance.adminKey())
                        .status(),
                "administrators are not counted");
    }

    @Test
    void limitsConcurrentPasswordGuesses() throws Exception {
        // Given
        String name = name();
        register(name);

        // When
        List<Integer> answers;
        long start = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            answers =
                    threads
                            .invokeAll(Collections.<Callable<Integer>>nCopies(
                                    20, () -> guess(name, "wrong").status()))
                            .stream()
                            .map(Future::resultNow)
                            .toList();
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();

        // Then
        long wrong = answers.stream().filter(status -> status == 401).count();
        int waited = Long.SIZE - 1 - Long.numberOfLeadingZeros(seconds + 1); // of 1, 2, 4 … seconds, in that time
        assertTrue(wrong >= 5 && wrong <= 5 + waited, answers + " in " + seconds + " s");
        assertEquals(
                20 - wrong, answers.stream().filter(status -> status == 429).count(), answers.toString());
        Awaitility.await("a wait that is long enough to look")
                .until(() -> guess(name, "wrong")
                                .response()
                                .headers()
                                .firstValueAsLong("Retry-After")
                                .orElse(0)
                        >= 3);
        assertEquals(429, guess(name, PASSWORD).status(), "whoever knows it waits as well");
    }

    private Answer guess(String name, String password) {
        return browser.post("/v1/auth/login", Map.of("username", name, "password", password));
    }

    @Test
    @Tag("I4")
    @Tag("I8")
    void failedPasswordSignInsLookAlike() {
        // Given
        String name = name();
        register(name);
        Person elsewhere = stranger();
        user(signIn(one, "one", elsewhere));

        // When
        Answer right = browser.post("/v1/auth/login", Map.of("email", name + "@example.com", "password", PASSWORD));
        Answer wrong = browser.post("/v1/auth/login", Map.of("username", name, "password", "wrong"));
        Answer unknown = browser.post("/v1/auth/login", Map.of("username", name(), "password", PASSWORD));
        Answer withoutPassword =
                browser.post("/v1/auth/login", Map.of("username", elsewhere.login(), "password", PASSWORD));

        // Then
        assertEquals(200, right.status(), right.text());
        assertEquals(401, wrong.status());
        assertEquals(401, unknown.status());
        assertEquals(401, withoutPassword.status());
        assertEquals(wrong.text(), unknown.text());
        assertEquals(wrong.text(), withoutPassword.text());
        assertEquals(1, hashed(name), "bcrypt's digest is kept");

        // When they sign in again
        Instant first = lastLogin(right.json().path("token").asText());
        assertEquals(first, lastLogin(right.json().path("token").asText()), "asking changes nothing");
        Instant second = lastLogin(browser.login(name, PASSWORD).path("token").asText());

        // Then
        assertTrue(second.isAfter(first), second + " after " + first);
    }

    @Test
    @Tag("I5")
    void federatedSignInFindsTheSameUserByProviderAndSubject() {
        // Given
        Person person = stranger();

        // When
        JsonNode first = user(signIn(one, "one", person));
        JsonNode second = user(signIn(one, "one", person));
        JsonNode other = user(signIn(two, "two", person));

        // Then
        assertEquals(person.login(), first.path("username").asText());
        assertEquals(person.email(), first.path("email").asText());
        assertEquals(first.path("id"), second.path("id"));
        assertNotEquals(first.path("id"), other.path("id"), "the same subject of another provider");
        assertEquals(person.login() + "-2", other.path("username").asText());
        assertTrue(other.path("email").isNull(), "an address makes nobody the same");
    }

    @Test
    @Tag("I5")
    void acceptsACallbackOnceAndFromItsBrowserOnly() {
        // Given
        Answer start = browser.open("/v1/auth/oauth/one");
        String cookie = start.header("Set-Cookie");
        String back = one.agrees(start.location(), stranger());

        // When
        Answer elsewhere;
        try (var another = new Browser(instance.url())) {
            elsewhere = another.open(back);
        }
        Answer first = browser.open(back);
        Answer repeated = browser.open(back);

        // Then
        assertTrue(cookie.contains("HTTPOnly") && cookie.contains("SameSite=Lax"), cookie);
        assertTrue(start.location().getRawQuery().contains("code_challenge_method=S256"));
        assertEquals(400, elsewhere.status(), elsewhere.text());
        assertEquals(200, first.status(), first.text());
        assertEquals(400, repeated.status(), repeated.text());
        assertEquals("unknown_state", repeated.code());
        assertEquals(
                400,
                browser.open("/v1/auth/oauth/one/callback?code=x&state=made-up").status());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @Tag("I5")
    void rejectsAnInvalidIdToken(Flaw flaw) {
        // Given
        Person person = stranger();
        URI question = browser.open("/v1/auth/oauth/one").location();

        // When
        Answer answer = browser.open(one.agrees(question, person, flaw));

        // Then
        assertEquals(502, answer.status(), answer.text());
        assertEquals("provider_failed", answer.code());
        assertFalse(answer.text().contains("token\":\"parley"), answer.text());
        assertEquals(0, update("DELETE FROM control.auth_identity_t WHERE subject = ?", person.subject()));
    }

    @Test
    void reportsErrorsOfTheIdentityProvider() {
        // When
        URI question = browser.open("/v1/auth/oauth/one").location();
        String state = question.getRawQuery().replaceAll(".*state=([^&]+).*", "$1");
        Answer denied = browser.open("/v1/auth/oauth/one/callback?error=access_denied&state=" + state);

        // Then
        assertEquals(403, denied.status(), denied.text());
        assertEquals("consent_denied", denied.code());

        // When
        String back = two.agrees(browser.open("/v1/auth/oauth/two").location(), stranger());
        two.breaks(true);
        Answer broken = browser.open(back);
        two.breaks(false);

        // Then
        assertEquals(502, broken.status(), broken.text());
        assertEquals(404, browser.open("/v1/auth/oauth/three").status());
    }

    @Test
    void redirectCarriesACodeInsteadOfTokens() {
        // Given
        Person person = stranger();
        String end = "https://app.example.com/signed-in";
        URI question =
                browser.open("/v1/auth/oauth/one?redirect=" + encoded(end)).location();

        // When
        Answer callback = browser.open(one.agrees(question, person));
        String code = callback.location().getFragment().substring("code=".length());
        Answer granted = browser.post("/v1/auth/code", Map.of("code", code));
        Answer repeated = browser.post("/v1/auth/code", Map.of("code", code));

        // Then
        assertEquals(303, callback.status(), callback.text());
        assertTrue(callback.header("Location").startsWith(end + "#code="), callback.header("Location"));
        assertEquals(person.login(), user(granted).path("username").asText());
        assertEquals(401, repeated.status(), repeated.text());
        assertEquals(
                instance.url() + "/signed-in?x=1",
                one.agrees(
                                browser.open("/v1/auth/oauth/one?redirect=" + encoded("/signed-in?x=1"))
                                        .location(),
                                person)
                        .transform(back -> browser.open(back).header("Location"))
                        .replaceAll("#.*", ""));
    }

    @Test
    @Tag("I140")
    @Tag("I141")
    void issuerTokenAuthenticatesTheUserOfItsIdentity() {
        // Given
        Person person = stranger();
        String token = one.accessToken(person.subject(), AUDIENCE, "openid");
        Answer unknown = browser.open("/v1/me", token);
        String id = user(signIn(one, "one", person)).path("id").asText();

        // Then
        assertEquals(401, unknown.status(), unknown.text());
        assertEquals("invalid_token", unknown.code());
        assertTrue(
                unknown.header("WWW-Authenticate")
                        .startsWith(
                                "Bearer realm=\"parley\", error=\"invalid_token\", error_description=\"The token is valid, but no account"),
                unknown.header("WWW-Authenticate"));
        Awaitility.await().untilAsserted(() -> assertEquals(id, browser.whoIs(token)));
        assertEquals(
                401,
                browser.open("/v1/me", two.accessToken(person.subject(), AUDIENCE, "parley"))
                        .status());
        Answer elsewhere = browser.open("/v1/models", one.accessToken(person.subject(), "https://x.example.com", ""));
        assertEquals(401, elsewhere.status());
        assertTrue(elsewhere.json().path("error").path("message").asText().contains("aud"), elsewhere.text());
        assertEquals(200, browser.open("/health/live", "ey.no.token").status(), "what is open stays so");

        // And the token is no sign-in
        assertEquals(
                "sign_in_required",
                browser.put("/v1/me/password", Map.of("password", PASSWORD), token)
                        .code());
        Answer key = browser.post("/v1/api-keys", Map.of("name", "mine"), token);
        assertEquals(201, key.status(), key.text());
        assertFalse(key.json().path("expiresAt").isNull(), "a key that it makes ends with it: " + key.text());

        // And it opens a session of the console
        assertEquals(200, browser.post("/console/sign-in", Map.of(), token).status());
        assertEquals(id, browser.open("/console/rights").json().path("id").asText());

        // When
        assertEquals(204, browser.delete("/v1/users/" + id, instance.adminKey()).status());

        // Then
        Answer removed = browser.open("/v1/me", token);
        assertEquals(401, removed.status(), "at once");
        assertTrue(removed.text().contains("no permissions here"), removed.text());
        assertEquals(401, browser.open("/console/rights").status());
    }

    @Test
    @Tag("I143")
    void tokenScopesLimitPermissions() {
        // Given
        Person person = stranger();
        user(signIn(two, "two", person));
        String none = two.accessToken(person.subject(), AUDIENCE, "openid");
        String reads = two.accessToken(person.subject(), AUDIENCE, "openid parley.read");
        String all = two.accessToken(person.subject(), AUDIENCE, "parley");

        // Then
        Awaitility.await()
                .untilAsserted(() ->
                        assertEquals(200, browser.open("/v1/projects", all).status()));
        String project = browser.post("/v1/projects", Map.of("name", "of " + person.login()), all)
                .json()
                .path("key")
                .asText();
        String path = "/v1/projects/" + project + "/sessions";
        assertEquals(200, browser.open(path, reads).status());
        Answer refused = browser.post(path + "/a/turns", Map.of("text", "hello"), reads);
        assertEquals(403, refused.status(), refused.text());
        assertTrue(refused.json().path("detail").asText().contains("does not open"), refused.text());
        assertTrue(browser.open(path, none).status() >= 403);
        assertEquals(
                202,
                browser.post(path + "/a/turns", Map.of("text", "hello"), all).status());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "https://evil.example",
                "https://app.example.com/signed-in/more",
                "https://app.example.com/signed-in@evil.example",
                "javascript:alert(1)",
                "/a#b",
                "/\t/evil.example"
            })
    void rejectsForeignOrInvalidRedirectTargets(String redirect) {
        Answer answer = browser.open("/v1/auth/oauth/one?redirect=" + encoded(redirect));

        assertEquals(400, answer.status(), answer.text());
        assertEquals("invalid_redirect", answer.code());
    }

    @Test
    @Tag("I5")
    void emailOfAnIdentityTakesOverNoAccount() {
        // Given
        String name = name();
        String id = register(name);
        Person verified = new Person(name, name, name.toUpperCase(Locale.ROOT) + "@example.com", true);
        Person unverified = new Person(name(), "..", name() + "@example.com", false);

        // When
        JsonNode first = user(signIn(one, "one", verified));
        JsonNode second = user(signIn(one, "one", unverified));

        // Then
        assertNotEquals(id, first.path("id").asText());
        assertEquals(
                verified.email(), first.path("email").asText(), "the provider proves it, the other person did not");
        assertTrue(browser.open("/v1/users/" + id, instance.adminKey())
                .json()
                .path("email")
                .isNull());
        assertTrue(second.path("email").isNull(), second.toString());
        assertTrue(second.path("username").asText().startsWith("one"), second.toString());
    }

    @Test
    @Tag("I5")
    void identityBelongsToOneUser() {
        // Given
        String subject = name();
        UUID first = UUID.fromString(register(name()));
        UUID second = UUID.fromString(register(name()));
        String insert = "INSERT INTO control.auth_identity_t (provider, subject, user_id) VALUES ('one', ?, ?)";
        update(insert, subject, first);

        // When
        var e = assertThrows(FailedException.class, () -> update(insert, subject, second));

        // Then
        assertEquals("auth_identity_t_pkey", e.duplicate().orElse(""));
    }

    @Test
    @Tag("I5")
    void signsInThroughGitHub() {
        // Given
        String login = name();
        HttpDouble.Reply token =
                HttpDouble.json(200, "{\"access_token\":\"gho_1\",\"token_type\":\"bearer\",\"scope\":\"\"}");
        HttpDouble.Reply profile =
                HttpDouble.json(200, "{\"id\":" + login.hashCode() + ",\"login\":\"" + login + "\"}");
        HttpDouble.Reply addresses = HttpDouble.json(200, """
                [{"email":"x@example.com","primary":false,"verified":true},
                 {"email":"%s@example.com","primary":true,"verified":true}]""".formatted(login));
        gitHub.answers(token, profile, addresses, token, profile, HttpDouble.json(404, "{}"));

        // When
        URI question = browser.open("/v1/auth/oauth/github").location();
        JsonNode first = user(browser.open(callback(question)));
        String exchange = gitHub.seen().get(gitHub.seen().size() - 3).body();
        JsonNode second =
                user(browser.open(callback(browser.open("/v1/auth/oauth/github").location())));

        // Then
        assertEquals("/login/oauth/authorize", question.getPath());
        assertTrue(exchange.contains("code_verifier=") && exchange.contains("code=the-code"), exchange);
        assertEquals(login, first.path("username").asText());
        assertEquals(login + "@example.com", first.path("email").asText());
        assertEquals(first.path("id"), second.path("id"));

        // When
        gitHub.answers(HttpDouble.json(200, "{\"error\":\"bad_verification_code\"}"));
        Answer refused =
                browser.open(callback(browser.open("/v1/auth/oauth/github").location()));

        // Then
        assertEquals(502, refused.status(), refused.text());
    }

    private static String callback(URI question) {
        String state = question.getRawQuery().replaceAll(".*state=([^&]+).*", "$1");
        return "/v1/auth/oauth/github/callback?code=the-code&state=" + state;
    }

    @Test
    @Tag("I5")
    @Tag("W3")
    void identitiesAreLinkedAndUnlinked() {
        // Given
        String name = name();
        String id = register(name);
        String token = browser.login(name, PASSWORD).path("token").asText();
        Person person = stranger();

        // When
        Answer linking = browser.post("/v1/me/identities/one", Map.of(), token);
        String back = one.agrees(URI.create(linking.json().path("url").asText()), person);
        Answer stolen;
        try (var another = new Browser(instance.url())) {
            stolen = another.open(back);
        }
        Answer linked = browser.open(back);

        // Then
        assertEquals(400, stolen.status(), "nobody else's browser can end it");
        assertEquals(200, linked.status(), linked.text());
        assertEquals(id, user(signIn(one, "one", person)).path("id").asText());
        assertEquals(
                "one",
                browser.open("/v1/me/identities", token)
                        .json()
                        .at("/data/0/provider")
                        .asText());
        assertEquals(
                403,
                browser.post("/v1/me/identities/two", Map.of(), instance.adminKey())
                        .status());

        // When
        Person linkedPerson = stranger();
        String other = user(signIn(two, "two", linkedPerson)).path("id").asText();
        URI question = URI.create(browser.post("/v1/me/identities/two", Map.of(), token)
                .json()
                .path("url")
                .asText());
        Answer refused = browser.open(two.agrees(question, linkedPerson));

        // Then
        assertEquals(409, refused.status(), refused.text());
        assertEquals("identity_taken", refused.code());
        assertNotEquals(id, other);

        // When
        Answer unlinked = browser.delete("/v1/me/identities/one", token);

        // Then
        assertEquals(204, unlinked.status(), unlinked.text());
        assertEquals(404, browser.delete("/v1/me/identities/one", token).status());
        Answer stranger = signIn(one, "one", person);
        assertNotEquals(id, user(stranger).path("id").asText());
        Answer last = browser.delete(
                "/v1/me/identities/one", stranger.json().path("token").asText());
        assertEquals(409, last.status(), "it is the only way in");
    }

    @Test
    void closedRegistrationRejectsNewIdentities() {
        // Given
        Person known = stranger();
        user(signIn(one, "one", known));
        update("""
                INSERT INTO control.setting_t (host_id, name, value, update_user)
                SELECT host_id, 'registration', '"closed"', 'test' FROM control.host_t WHERE host_key = 'default'
                """);
        try {
            Awaitility.await()
                    .until(() -> browser.post("/v1/auth/register", Map.of("username", name()))
                                    .status()
                            == 403);

            // When
            Answer stranger = signIn(one, "one", stranger());

            // Then
            assertEquals(403, stranger.status(), stranger.text());
            assertEquals("registration_closed", stranger.code());
            assertEquals(200, signIn(one, "one", known).status());
        } finally {
            update("DELETE FROM control.setting_t WHERE name = 'registration'");
            Awaitility.await()
                    .until(() -> browser.post("/v1/auth/register", Map.of("username", name()))
                                    .status()
                            == 201);
        }
    }

    @Test
    void aCodeByEmailSignsInOnce() {
        // Given
        String name = name();
        String id = register(name);

        // When
        Answer known = browser.post("/v1/auth/email", Map.of("email", name.toUpperCase(Locale.ROOT) + "@example.com"));
        Answer unknown = browser.post("/v1/auth/email", Map.of("email", name() + "@example.com"));

        // Then
        assertEquals(202, known.status(), known.text());
        assertEquals(known.status(), unknown.status());
        assertEquals(known.text(), unknown.text());
        String code = firstGroup(TYPED, received(name, 1).getFirst());

        // When
        Answer granted = browser.post("/v1/auth/email/code", Map.of("code", code));
        Answer repeated = browser.post("/v1/auth/email/code", Map.of("code", code));

        // Then
        assertEquals(id, user(granted).path("id").asText());
        assertEquals(401, repeated.status(), repeated.text());
        assertEquals("wrong_code", repeated.code());

        // When
        browser.post("/v1/auth/email", Map.of("email", name + "@example.com", "redirect", "/signed-in"));
        String second = firstGroup(CODE, received(name, 2).getLast());

        // Then
        assertTrue(received(name, 2).getLast().contains(instance.url() + "/signed-in#code=" + second));
        assertEquals(401, browser.post("/v1/auth/code", Map.of("code", second)).status(), "it is for something else");
        update("UPDATE control.one_time_code_t SET expires_ts = now()");
        assertEquals(
                401, browser.post("/v1/auth/email/code", Map.of("code", second)).status(), "it has ended");
    }

    @Test
    void administratorCodeSignsInAndAllowsANewPassword() {
        // Given
        String name = name();
        String id = register(name);
        String ownToken = browser.login(name, PASSWORD).path("token").asText();
        String other = name();
        register(other);
        String stranger = browser.login(other, PASSWORD).path("token").asText();
        String path = "/v1/users/" + id + "/sign-in-code";

        // When
        Answer created = browser.post(path, Map.of(), instance.adminKey());

        // Then
        assertEquals(201, created.status(), created.text());
        assertEquals(403, browser.post(path, Map.of(), stranger).status());
        assertEquals(
                404,
                browser.post("/v1/users/" + UUID.randomUUID() + "/sign-in-code", Map.of(), instance.adminKey())
                        .status());
        String code = created.json().path("code").asText();
        assertEquals(
                401, browser.post("/v1/auth/email/code", Map.of("code", code)).status(), "it came by no e-mail");

        // When
        Answer granted = browser.post("/v1/auth/code", Map.of("code", code));

        // Then
        assertEquals(id, user(granted).path("id").asText());
        assertEquals(401, browser.post("/v1/auth/code", Map.of("code", code)).status(), "it was used");

        // When they set another password
        String token = granted.json().path("token").asText();
        assertEquals(
                403,
                browser.put("/v1/me/password", Map.of("password", "another one 1"), ownToken)
                        .status());
        assertEquals(
                204,
                browser.put("/v1/me/password", Map.of("password", "another one 1"), token)
                        .status());

        // Then
        Awaitility.await().until(() -> browser.open("/v1/me", ownToken).status() == 401);
        assertEquals(
                id,
                browser.whoIs(browser.login(name, "another one 1").path("token").asText()));
        assertTrue(browser.open("/v1/audit?source=user", instance.adminKey())
                .text()
                .contains("sign-in-code"));
    }

    @Test
    void emailSignInRevokesEarlierCredentials() {
        // Given a user who registers with the address of somebody else
        String name = name();
        String id = register(name);
        String token = browser.login(name, PASSWORD).path("token").asText();
        String key = browser.post("/v1/api-keys", Map.of("name", "x"), token)
                .json()
                .path("apiKey")
                .asText();
        assertEquals(200, browser.open("/v1/me", key).status());

        // When
        browser.post("/v1/auth/email", Map.of("email", name + "@example.com"));
        Answer granted = browser.post(
                "/v1/auth/email/code",
                Map.of("code", firstGroup(TYPED, received(name, 1).getFirst())));

        // Then
        assertEquals(id, user(granted).path("id").asText());
        Awaitility.await().until(() -> browser.open("/v1/me", token).status() == 401);
        Awaitility.await().until(() -> browser.open("/v1/me", key).status() == 401);
        assertEquals(
                401,
                browser.post("/v1/auth/login", Map.of("username", name, "password", PASSWORD))
                        .status());

        // When they prove the address again
        browser.post("/v1/auth/email", Map.of("email", name + "@example.com"));
        browser.post(
                "/v1/auth/email/code",
                Map.of("code", firstGroup(TYPED, received(name, 2).getLast())));

        // Then the new session stays valid
        assertEquals(
                200,
                browser.open("/v1/me", granted.json().path("token").asText()).status());
    }

    @Test
    void limitsEmailsPerAddressAndRejectsHeaderInjection() {
        // Given
        String name = name();
        register(name);

        // When
        for (int i = 0; i < 4; i++) {
            assertEquals(
                    202,
                    browser.post("/v1/auth/email", Map.of("email", name + "@example.com"))
                            .status());
        }
        String other = name();
        register(other);
        browser.post("/v1/auth/email", Map.of("email", other + "@example.com"));
        received(other, 1);

        // Then
        assertEquals(3, received(name, 3).size());
        for (String bad :
                List.of("a@example.com\r\nBcc: b@example.com", "a@example.com, b@example.com", "<a@b.c>", "a")) {
            assertEquals(
                    400, browser.post("/v1/auth/email", Map.of("email", bad)).status(), bad);
        }
    }

    private static List<String> received(String name, int minimum) {
        Awaitility.await().until(() -> texts(name).size() >= minimum);
        return texts(name);
    }

    private static List<String> texts(String name) {
        return Arrays.stream(mail.getReceivedMessagesForDomain("example.com"))
                .filter(message -> {
                    try {
                        return message.getAllRecipients()[0].toString().startsWith(name);
                    } catch (jakarta.mail.MessagingException e) {
                        throw new AssertionError(e);
                    }
                })
                .map(message -> com.icegreen.greenmail.util.GreenMailUtil.getBody(message)
                        .replace("\r", ""))
                .toList();
    }

    private static String firstGroup(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.group(1);
    }

    @Test
    void refreshTokenWorksOnceAndLogoutTakesEffectAtOnce() {
        // Given
        String name = name();
        String id = register(name);
        JsonNode first = browser.login(name, PASSWORD);

        // When
        JsonNode second = refresh(first).json();

        // Then
        assertNull(browser.whoIs(first.path("token").asText()), "the token before is no good any more");
        assertEquals(id, browser.whoIs(second.path("token").asText()));

        // When another tab of the same browser uses the token a moment later
        Answer repeated = refresh(first);

        // Then
        assertEquals(409, repeated.status(), repeated.text());
        JsonNode third = refresh(second).json();
        assertEquals(id, browser.whoIs(third.path("token").asText()));

        // When an old token is used
        Answer reused = refresh(first);

        // Then
        assertEquals(401, reused.status(), reused.text());
        assertEquals(401, refresh(third).status(), "whoever has it may have stolen it");
        Awaitility.await().until(() -> browser.whoIs(third.path("token").asText()) == null);

        // When
        String token = browser.login(name, PASSWORD).path("token").asText();
        Answer logout = browser.post("/v1/auth/logout", Map.of(), token);

        // Then
        assertEquals(204, logout.status(), logout.text());
        assertNull(browser.whoIs(token));
    }

    private Answer refresh(JsonNode granted) {
        return browser.post(
                "/v1/auth/refresh",
                Map.of("refreshToken", granted.path("refreshToken").asText()));
    }

    @Test
    void listsTheSignInProviders() {
        JsonNode providers = browser.open("/v1/auth/providers").json();

        assertEquals("""
                {"data":[{"name":"github","title":"GitHub"},{"name":"one","title":"The one"},{"name":"two","title":"two"}],"email":true}""", providers.toString());
    }
}
