package dev.parley.platform.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.definition.Agent;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.secret.BrokerSecrets;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.power.Power.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The environment overrides the file, and the file the defaults; unknown keys are rejected by name. */
class ConfigReaderTest {
    @TempDir
    Path folder;

    private ParleyConfig read(String yaml, Map<String, String> variables) throws IOException {
        var environment = new HashMap<>(variables);
        Path file = folder.resolve("parley.yml");
        Files.writeString(file, yaml);
        environment.put("PARLEY_CONFIG", file.toString());
        return ConfigReader.read(environment);
    }

    @Test
    @Tag("P58")
    void everythingHasADefault() {
        // When
        ParleyConfig config = ConfigReader.read(
                Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()));

        // Then
        assertEquals(8080, config.port());
        assertEquals("127.0.0.1", config.bind());
        assertEquals(EnumSet.allOf(ProcessRole.class), config.roles());
        assertTrue(config.embedsKafka() && config.embedsPostgres());
        assertEquals(
                List.of(Agent.DEFAULT, "explore", "plan"),
                config.agents().stream().map(Agent::name).toList());
        assertEquals("scripted", config.agents().getFirst().provider());
    }

    @Test
    void definesTwoProvidersByDefault() throws IOException {
        // When
        ParleyConfig config = read("", Map.of("ANTHROPIC_BASE_URL", "http://127.0.0.1:1/v1/"));

        // Then
        assertEquals(
                List.of(
                        "anthropic anthropic http://127.0.0.1:1/v1 env:ANTHROPIC_API_KEY",
                        "openai openai https://api.openai.com/v1 env:OPENAI_API_KEY"),
                config.providers().stream().map(ConfigReaderTest::summary).toList());
    }

    private static String summary(ProviderConfig p) {
        return p.name() + " " + p.kind() + " " + p.baseUrl() + " " + p.apiKey();
    }

    @Test
    void readsTheProjectOfABot() throws IOException {
        // Given
        String bots = """
                telegram:
                  - { name: a, token: "env:A" }
                  - { name: b, token: "env:B", project: 0198a000-0000-7000-8000-000000000001 }
                webhooks:
                  - { name: c, url: "http://127.0.0.1:1/", secret: "env:C", project: work }
                """;

        // Then
        assertEquals(
                List.of("default", "0198a000-0000-7000-8000-000000000001", "work"),
                read(bots, Map.of()).bots().stream().map(BotConfig::project).toList());
        var refused = assertThrows(
                ConfigException.class, () -> read(bots.replace("project: work", "project: a/b"), Map.of()));
        assertTrue(String.valueOf(refused.getMessage()).contains("webhooks[0].project"), refused.getMessage());
    }

    @Test
    void readsPluginBotsWithTheirSettings() throws IOException {
        // When
        ParleyConfig config = read("""
                plugins: jars
                bots:
                  - { kind: folder, name: desk, allowedUsers: [ann], project: work, settings: { path: /srv/desk, depth: 3, key: "env:K" } }
                  - { kind: lines, name: line, token: "env:T" }
                """, Map.of());

        // Then
        BotConfig desk = config.bots().getFirst();
        assertEquals(
                "folder desk work [ann]",
                String.join(
                        " ",
                        desk.kind(),
                        desk.name(),
                        desk.project(),
                        desk.allowedUsers().toString()));
        assertEquals("", desk.token());
        assertEquals(Map.of("path", "/srv/desk", "depth", "3", "key", "env:K"), desk.settings());
        assertEquals(Map.of(), config.bots().get(1).settings());
        assertEquals(Path.of("jars").toAbsolutePath(), config.tools().plugins());
        Secrets secrets = Secrets.ofBots(config, Map.of("K", "k3y", "T", "t0ken", "OTHER", "x"));
        assertEquals("k3y", secrets.get("env:K"));
        assertEquals("t0ken", secrets.get("env:T"));
        assertThrows(Secrets.MissingException.class, () -> secrets.get("env:OTHER"));
        assertThrows(Secrets.MissingException.class, () -> secrets.get("/srv/desk"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bots: [{ name: a }]                                             | bots[0].kind
            bots: [{ kind: telegram, name: a, token: "env:A" }]             | section 'telegram'
            bots: [{ kind: webhook, name: a }]                              | section 'webhooks'
            bots: [{ kind: Odd Kind, name: a }]                             | bots[0].kind
            bots: [{ kind: folder }]                                        | bots[0].name
            bots: [{ kind: folder, name: a }, { kind: folder, name: a }]    | bots[1].name
            bots: [{ kind: folder, name: a, token: secret }]                | bots[0].token
            bots: [{ kind: folder, name: a, settings: { path: } }]          | bots[0].settings.path
            bots: [{ kind: folder, name: a, settings: { path: [x] } }]      | settings
            bots: [~]                                                       | bots[0]
            {plugins: jars, tools: { plugins: jars }}                       | tools.plugins
            """)
    void rejectsAnInvalidPluginBotAndNamesTheKey(String yaml, String key) {
        var refused = assertThrows(ConfigException.class, () -> read(yaml, Map.of()));
        assertTrue(String.valueOf(refused.getMessage()).contains(key), refused.getMessage());
    }

    @Test
    void providersAreReadWithTheirTimeouts() throws IOException {
        // When
        ParleyConfig config = read("""
                providers:
                  local: { baseUrl: "http://127.0.0.1:11434/v1", timeouts: { idle: 5s }, callsPerMinute: 60 }
                prices:
                  - { model: local/llama, input: 0, output: 0 }
                agents:
                  - { name: default, model: local/llama, options: { fallback: "openai/gpt-5", models: "openai/gpt-5, local/small", memory: user, memoryDays: "365" } }
                """, Map.of());

        // Then
        ProviderConfig local = config.providers().get(1);
        assertEquals("local openai-chat http://127.0.0.1:11434/v1 null", summary(local));
        assertEquals(Duration.ofSeconds(5), local.timeouts().idle());
        assertEquals(Duration.ofMinutes(5), local.timeouts().firstToken());
        assertEquals(60, local.callsPerMinute());
        assertEquals(List.of("openai/gpt-5"), config.agents().getFirst().fallbacks());
        assertEquals(
                List.of("local/llama", "openai/gpt-5", "local/small"),
                config.agents().getFirst().models());
        assertEquals("local/llama", config.prices().getFirst().model());
        assertEquals(
                Optional.of(Duration.ofDays(365)), config.agents().getFirst().memoryDays());
    }

    @Test
    void readsIdentityProvidersAndMail() throws IOException {
        // When
        ParleyConfig config = read("""
                signIn:
                  providers:
                    github: { clientId: a, clientSecret: "env:A", url: "https://git.example.com/" }
                    google: { clientId: b, clientSecret: "env:B" }
                    work: { title: Work, issuer: "https://id.example.com/x/", clientId: c, clientSecret: "file:c", scopes: [email] }
                  redirects: ["https://app.example.com/in?a=b", "com.example.app:/in"]
                mail: { host: smtp.example.com, user: me, password: "env:M", from: "Parley <p@example.com>" }
                """, Map.of());

        // Then
        assertEquals(
                List.of(
                        new IdentityProviderConfig.GitHub(
                                "github",
                                "GitHub",
                                "a",
                                "env:A",
                                URI.create("https://git.example.com"),
                                URI.create("https://git.example.com/api/v3")),
                        new IdentityProviderConfig.OpenId(
                                "google",
                                "Google",
                                "b",
                                "env:B",
                                "https://accounts.google.com",
                                List.of("openid", "email", "profile")),
                        new IdentityProviderConfig.OpenId(
                                "work",
                                "Work",
                                "c",
                                "file:c",
                                "https://id.example.com/x/",
                                List.of("openid", "email"))),
                config.signIn().providers());
        assertEquals(2, config.signIn().redirects().size());
        assertEquals(
                new MailConfig(
                        "smtp.example.com", 587, "me", "env:M", "Parley <p@example.com>", MailConfig.Security.STARTTLS),
                config.mail());
    }

    @Test
    void issuersOfTokensAreRead() throws IOException {
        // When
        ParleyConfig config = read("""
                signIn:
                  providers:
                    work: { issuer: "https://id.example.com/x", clientId: c, clientSecret: "file:c" }
                  issuers:
                    - { issuer: "https://id.example.com/x", audience: ["https://parley.example.com"] }
                    - issuer: "https://machines.example.com"
                      audience: [a, b]
                      jwks: "https://keys.example.com/jwks?x=1"
                      algorithms: [ES256]
                      types: [application/at+jwt, missing]
                      clockSkew: 5s
                      personClaim: azp
                      people: { ci: 11111111-2222-4333-8444-555555555555 }
                      opens: { claim: scope, values: { read: [session.read], all: ["*"] } }
                """, Map.of());

        // Then
        TokenIssuerConfig first = config.signIn().issuers().getFirst();
        assertEquals("work", first.provider(), "whom people sign in with at the same issuer");
        assertEquals(Set.of("at+jwt", "jwt"), first.types());
        assertEquals(Duration.ofSeconds(60), first.clockSkew());
        assertEquals("sub", first.personClaim());
        assertTrue(first.algorithms().stream()
                .noneMatch(algorithm -> algorithm.startsWith("HS") || algorithm.equals("none")));
        assertEquals(
                new TokenIssuerConfig(
                        "https://machines.example.com",
                        Set.of("a", "b"),
                        Set.of(),
                        null,
                        URI.create("https://keys.example.com/jwks?x=1"),
                        Set.of("ES256"),
                        Set.of("at+jwt", "missing"),
                        Duration.ofSeconds(5),
                        "azp",
                        Map.of("ci", UUID.fromString("11111111-2222-4333-8444-555555555555")),
                        new TokenIssuerConfig.Opens(
                                "scope", Map.of("read", List.of("session.read"), "all", List.of("*")))),
                config.signIn().issuers().get(1));
        assertEquals(List.of(), read("", Map.of()).signIn().issuers(), "off without it");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {audience: [a]}                                                      | .issuer: is needed
            {issuer: 'http://id.example.com', audience: [a]}                     | .issuer: begins with https://
            {issuer: 'https://a.b', audience: [a]}                               | .provider: is needed
            {issuer: 'https://a.b', provider: x, audience: [a]}                  | .provider: there is no 'x'
            {issuer: 'https://a.b', people: {a: b}, audience: [a]}               | .people.a: is the id
            {issuer: 'https://a.b', provider: github}                            | .audience: is needed
            {issuer: 'https://a.b', provider: github, audience: []}              | .audience: is needed
            {issuer: 'https://a.b', provider: github, audience: [a], algorithms: [none]}      | .algorithms: has some of
            {issuer: 'https://a.b', provider: github, audience: [a], algorithms: [RS256, HS256]} | .algorithms: has some of
            {issuer: 'https://a.b', provider: github, audience: [a], algorithms: []}          | .algorithms: has some of
            {issuer: 'https://a.b', provider: github, audience: [a], types: []}               | .types: has at least one
            {issuer: 'https://a.b', provider: github, audience: [a], clockSkew: 6m}           | .clockSkew: is at most 5m
            {issuer: 'https://a.b', provider: github, audience: [a], jwks: 'http://c.d/e'}    | .jwks: begins with https://
            {issuer: 'https://a.b', provider: github, audience: [a], personClaim: 'a b'}      | .personClaim: is the name
            {issuer: 'https://a.b', provider: github, audience: [a], opens: {values: {}}}     | .opens.claim: is the name
            {issuer: 'https://a.b', provider: github, audience: [a], opens: {claim: scope, values: {x: [all]}}} | .opens.values.x: has names of capabilities
            {issuer: 'https://a.b', provider: github, audience: [a], secret: b}               | secret
            """)
    void rejectsAnInvalidTokenIssuerAndNamesTheKey(String issuer, String problem) {
        var e = assertThrows(
                ConfigException.class,
                () -> read(
                        "signIn: {providers: {github: {clientId: a, clientSecret: 'env:A'}}, issuers: [" + issuer
                                + "]}",
                        Map.of()));

        assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            signIn: {github: {}}                                                                           | known keys here are issuers, providers, redirects
            signIn: {providers: {github: {clientId: a, clientSecret: hunter2}}}                            | signIn.providers.github.clientSecret: is env:NAME
            signIn: {providers: {work: {clientId: a, clientSecret: 'env:A'}}}                              | signIn.providers.work.issuer
            signIn: {providers: {work: {issuer: 'http://id.example.com', clientId: a, clientSecret: 'env:A'}}} | begins with https://
            signIn: {providers: {password: {clientId: a, clientSecret: 'env:A'}}}                          | not password or email
            signIn: {redirects: ['http://example.com/in']}                                                 | signIn.redirects[0]: begins with https://
            signIn: {redirects: ['javascript:alert(1)']}                                                   | signIn.redirects[0]: is https://
            mail: {host: a, from: 'b@example.com', starttls: false, user: c, password: 'env:A'}            | mail.starttls
            mail: {host: a, from: 'b@example.com', user: c}                                                | has both user and password
            mail: {host: a}                                                                                | mail.from
            """)
    void rejectsInvalidSignInSettingsWithoutShowingSecrets(String yaml, String problem) {
        var e = assertThrows(ConfigException.class, () -> read(yaml, Map.of()));

        assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
        assertTrue(!String.valueOf(e.getMessage()).contains("hunter2"), e.getMessage());
    }

    @Test
    void emptyFileKeepsTheDefaults() throws IOException {
        assertEquals(8080, read("", Map.of()).port());
        assertEquals(8080, read("# port: 9000\n\n", Map.of()).port());
    }

    @Test
    @Tag("P58")
    void environmentOverridesTheFile() throws IOException {
        // Given
        String yaml =
                "port: 9000\nbind: localhost\nkafka:\n  bootstrap: one:9092\n  settings: {security.protocol: SSL}\n";

        // When
        ParleyConfig config = read(yaml, Map.of("PARLEY_PORT", "9001", "PARLEY_KAFKA", "two:9092", "PARLEY_BIND", " "));

        // Then
        assertEquals(9001, config.port());
        assertEquals("localhost", config.bind());
        assertEquals(new ParleyConfig.Kafka("two:9092", Map.of("security.protocol", "SSL")), config.kafka());
        assertEquals(8, config.partitions());
    }

    @Test
    void agentsAreReadWithTheirLimits() throws IOException {
        // When
        ParleyConfig config = read("""
                model: scripted/small
                agents:
                  - name: researcher
                    mode: subagent
                    model: scripted/large
                    tools: [echo]
                    limits: { maxSteps: 3, turnTimeout: 90s }
                """, Map.of());

        // Then
        assertEquals(
                List.of("default", "explore", "plan", "researcher"),
                config.agents().stream().map(Agent::name).toList());
        assertEquals("small", config.agents().getFirst().model());
        Agent researcher = config.agents().getLast();
        assertEquals("large", researcher.model());
        assertEquals(3, researcher.limits().maxSteps());
        assertEquals(Duration.ofSeconds(90), researcher.limits().turnTimeout());
    }

    @ParameterizedTest
    @Tag("P58")
    @CsvSource(delimiter = '|', textBlock = """
            prot: 9000                                          | prot: unknown key; known keys here are
            kafka: {bootstap: one}                              | kafka.bootstap: unknown key; known keys here are bootstrap, settings
            agents: [{name: a}, {name: b, promt: x}]            | agents[1].promt: is unknown; known fields are name
            agents: [{name: a, limits: {maxStep: 3}}]           | agents[0].limits.maxStep: is unknown; known fields are maxSteps
            port: many                                          | port:
            port: 70000                                         | PARLEY_PORT: is a whole number from 0 to 65535, not '70000'
            'port: 1\nport: 2'                                  | Duplicate field 'port'
            } port: 1                                           | is not valid YAML
            roles: channels,cooks                               | there is no role 'cooks'
            roles: channels                                     | needs PARLEY_KAFKA and PARLEY_POSTGRES
            bind: 0.0.0.0                                       | set PARLEY_ADMIN_KEY
            model: gpt                                          | must be provider/model
            postgres: {url: localhost}                          | is a JDBC URL
            agents: [{name: a}, {name: a}]                      | there are two agents called 'a'
            agents: [{prompt: x}]                               | agents[0].name: is missing
            agents: [{name: a, mode: boss}]                     | agents[0].mode: must be one of primary
            agents: [{name: a, limits: {turnTimeout: 10}}]      | agents[0].limits.turnTimeout: must be a duration such as
            agents: [{name: a, temperature: 3, topP: -1}]       | agents[0].temperature: must be from 0 to 2; agents[0].topP: must be from 0 to 1
            agents: [{name: a, limits: {sessionCost: -1}}]      | agents[0].limits.sessionCost: must be above 0
            agents: [7]                                         | agents[0]: must be an object
            providers: {x: {baseUrl: 'ftp://a'}}                | providers.x.baseUrl: is a URL
            providers: {x: {}}                                  | providers.x.baseUrl: is needed
            providers: {openai: {apiKey: sk-123}}               | providers.openai.apiKey: is env:NAME, file:PATH or vault:PATH#FIELD, never the key itself
            agents: [{name: a, apiKey: sk-123}]                 | agents[0].apiKey: is env:NAME, file:PATH, vault:PATH#FIELD or cred:ID, never the key itself
            agents: [{name: a, apiKey: 'cred:7'}]               | agents[0].apiKey: is env:NAME, file:PATH, vault:PATH#FIELD or cred:ID
            providers: {openai: {apiKey: 'cred:7'}}             | providers.openai.apiKey: is env:NAME, file:PATH or vault:PATH#FIELD
            masterKey: c2VudGluZWw=                             | PARLEY_MASTER_KEY: the key has 8 bytes, 32 are needed
            installationKey: c2VudGluZWw=                       | PARLEY_INSTALLATION_KEY: the key has 8 bytes, 32 are needed
            providers: {x: {kind: y, baseUrl: 'http://a'}}      | providers.x.kind: is openai, openai-chat or anthropic
            providers: {X: {baseUrl: 'http://a'}}               | a provider's name is lower case
            providers: {openai: {proxy: 'http://u:p@h'}}        | providers.openai.proxy: is http://[user:password@]host:port
            model: nobody/m                                     | needs the provider 'nobody'
            agents: [{name: a, options: {fallback: gpt}}]       | offers 'gpt', which is not a provider/model
            agents: [{name: a, options: {memoryDays: "0"}}]      | agents[0].options.memoryDays: is a number of days from 1 to 36,500
            agents: [{name: a, options: {memory: usr}}]         | agents[0].options.memory: is one of host, agent, user, user_agent
            transcriber: anthropic/claude                       | listens with 'anthropic/claude', which is not a provider/model; there are scripted, openai
            prices: [{model: a/b, input: 1}]                    | prices[0]
            workflows: {kafka: [{}]}                            | workflows.kafka[0].servers: is needed
            workflows: {kafka: [{servers: 'http://a'}]}         | workflows.kafka[0].servers: has host:port
            workflows: {kafka: [{servers: 'a:1,b:2'}, {servers: 'B:2'}]} | workflows.kafka[1].servers: has a server that is in another item
            workflows: {kafka: [{servers: 'a:1', properties: {ssl.key.password: x}}]} | properties.ssl.key.password: has a secret, which is written as a reference
            workflows: {kafka: [{servers: 'a:1', properties: {group.id: x}}]} | properties.group.id: is set by the server
            workflows: {topics: [{type: x}]}                    | workflows.topics[0].topic: is the name of a topic
            workflows: {topics: [{topic: workflow-events, type: x}]} | topics[0].topic: 'workflow-events' is one of Parley
            workflows: {topics: [{topic: orders}]}              | workflows.topics[0].type: is needed
            workflows: {topics: [{topic: o, type: x, servers: 'a:1'}]} | workflows.topics[0].servers: is none of those in workflows.kafka
            workflows: {topics: [{topic: o, type: x}, {topic: o, type: y}]} | workflows.topics: has a topic twice
            workflows: {topics: [{topic: replies.json, type: x}]} | topics[0].topic: 'replies.json' is one of Parley
            jsonTopics: [{}]                                    | jsonTopics[0].topic: is one of turn-commands, turn-events
            jsonTopics: [{topic: dead-letter}]                  | jsonTopics[0].topic: is one of
            jsonTopics: [{topic: dead-letters, types: [SubmitTurn]}] | jsonTopics[0].types: cannot be set for 'dead-letters'
            jsonTopics: [{topic: replies}, {topic: replies}]    | jsonTopics[1].topic: 'replies' is in another item already
            jsonTopics: [{topic: turn-events, types: [TurnEnded]}] | jsonTopics[0].types: has 'TurnEnded', and 'turn-events' has
            jsonTopics: [{topic: project-changes, types: [Project]}] | jsonTopics[0].types: cannot be set for 'project-changes'
            """)
    void rejectsAnInvalidSettingAndNamesIt(String yaml, String problem) {
        // When
        var refused = assertThrows(ConfigException.class, () -> read(yaml.replace("\\n", "\n"), Map.of()));

        // Then
        assertTrue(refused.getMessage().contains(problem), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"PARLEY_PORT, x", "PARLEY_ADMIN_KEY, short", "PARLEY_REPLICAS, 0", "PARLEY_MASTER_KEY, ???"})
    void rejectsAnInvalidVariableAndNamesIt(String variable, String value) {
        // When
        var refused = assertThrows(ConfigException.class, () -> read("", Map.of(variable, value)));

        // Then
        assertTrue(refused.getMessage().startsWith(variable + ": "), refused.getMessage());
    }

    @Test
    void ignoresServiceVariablesOfKubernetes() throws IOException {
        // Given
        var links = Map.of(
                "PARLEY_PORT",
                "tcp://10.0.0.1:8080",
                "PARLEY_SERVICE_HOST",
                "10.0.0.1",
                "PARLEY_SERVICE_PORT",
                "8080",
                "PARLEY_SERVICE_PORT_HTTP",
                "8080",
                "PARLEY_PORT_8080_TCP_ADDR",
                "10.0.0.1",
                "PARLEY_CONTROL_PORT",
                "tcp://10.0.0.2:8080",
                "PARLEY_CONTROL_SERVICE_HOST",
                "10.0.0.2");

        // Then
        assertEquals(8080, read("", links).port());
        assertEquals(List.of(), EnvironmentVariables.warnings(links));
    }

    @Test
    void unknownVariableIsIgnoredWithAWarning() throws IOException {
        var wrong = Map.of("PARLEY_PROT", "9000", "PARLEY_COLOUR", "blue");

        assertEquals(8080, read("", wrong).port());
        assertEquals(
                List.of(
                        "PARLEY_COLOUR is not a setting and is ignored.",
                        "PARLEY_PROT is not a setting and is ignored; did you mean PARLEY_PORT?"),
                EnvironmentVariables.warnings(wrong));
    }

    @Test
    void toolPermissionsAreEmptyByDefault() throws IOException {
        assertEquals(ToolsConfig.NONE, read("", Map.of()).tools());
        ToolsConfig tools = read(
                        "tools: { allowedHosts: [Intranet, '::1'], stdio: true, plugins: plugins,"
                                + " secrets: { 'env:WEATHER': [api.example.com] } }",
                        Map.of("PARLEY_PYTHON", "python"))
                .tools();
        assertEquals(
                new ToolsConfig(
                        Path.of("plugins").toAbsolutePath(),
                        Path.of("python").toAbsolutePath(),
                        Map.of("env:WEATHER", Set.of("api.example.com")),
                        List.of()),
                tools);
    }

    @Test
    void containersAllowConfiguredImagesOnly() throws IOException {
        // When
        ContainersConfig containers = read(
                        "workflows: { containers: { images: [\"alpine:*\", \"r.example/team/x\"] } }", Map.of())
                .workflows()
                .containers();

        // Then
        assertEquals(
                new ContainersConfig("docker", List.of("alpine:*", "r.example/team/x"), "none", "512m", "1"),
                containers);
        assertTrue(containers.allows("alpine:3.22"));
        assertTrue(containers.allows("r.example/team/x"));
        assertFalse(containers.allows("alpine"));
        assertFalse(containers.allows("evil/alpine:3"));
        assertFalse(containers.allows("alpine:*"));
        assertFalse(containers.allows("alpine:3 --privileged"));
        for (String wrong : List.of(
                "{}", "{ images: [\"-v\"] }", "{ images: [a], memory: lots }", "{ images: [a], network: \"a b\" }")) {
            assertThrows(
                    ConfigException.class, () -> read("workflows: { containers: " + wrong + " }", Map.of()), wrong);
        }
    }

    @Test
    @Tag("O31")
    void jsonTopicsAreOffByDefault() throws IOException {
        assertEquals(List.of(), read("", Map.of()).jsonTopics());
        assertEquals(
                List.of(
                        new JsonTopic(Topics.TURN_EVENTS, Set.of("TurnCompleted", "TurnFailed")),
                        new JsonTopic(Topics.REPLIES, Set.of())),
                read(
                                "jsonTopics: [{topic: turn-events, types: [TurnFailed, TurnCompleted]}, {topic: replies}]",
                                Map.of())
                        .jsonTopics());
    }

    @Test
    void workflowShellIsOffByDefault() throws IOException {
        assertEquals(WorkflowsConfig.DEFAULT, read("", Map.of()).workflows());
        assertEquals(
                WorkflowsConfig.DEFAULT,
                read("workflows: { shell: false }", Map.of()).workflows());
        assertFalse(read("workflows: { shell: false }", Map.of()).powers().isOn(Kind.WORKFLOW_SHELL));
        assertTrue(read("workflows: { shell: true }", Map.of()).powers().isOn(Kind.WORKFLOW_SHELL));
        assertThrows(ConfigException.class, () -> read("workflows: { shel: true }", Map.of()));
    }

    @Test
    @Tag("I11")
    void readsCheckoutFoldersAndTheSeparateShellSwitch() throws IOException {
        ParleyConfig files = read("tools: { checkouts: [/srv/checkouts/, /home/ada/src] }", Map.of());
        ParleyConfig shell = read("tools: { checkouts: [/srv/checkouts], shell: true }", Map.of());

        assertEquals(
                List.of(Path.of("/srv/checkouts"), Path.of("/home/ada/src")),
                files.tools().checkouts());
        assertFalse(files.powers().isOn(Kind.CHECKOUT_SHELL));
        assertTrue(shell.powers().isOn(Kind.CHECKOUT_SHELL));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tools: { allowedHosts: ['http://x'] }      | tools.allowedHosts
            tools: { secrets: { 'env:X': [] } }        | tools.secrets.env:X
            tools: { secrets: { sk-123: [x.org] } }    | tools.secrets: is env
            tools: { stdout: true }                    | unknown key
            tools: { checkouts: [srv] }                | tools.checkouts
            tools: { checkouts: ['/'] }                | tools.checkouts
            tools: { checkouts: ['/srv/..'] }          | tools.checkouts
            tools: { checkouts: [~] }                  | tools.checkouts
            tools: { shell: true }                     | tools.shell
            """)
    void rejectsInvalidToolSettings(String yaml, String key) {
        var thrown = assertThrows(ConfigException.class, () -> read(yaml, Map.of()));

        assertTrue(String.valueOf(thrown.getMessage()).contains(key), thrown.getMessage());
    }

    @Test
    void resolvesSecretsInBrokerProperties() throws IOException {
        // Given
        String yaml = """
                workflows:
                  kafka:
                    - servers: "B1.example:9093, b2.example:9093"
                      properties:
                        ssl.key.password: env:KEY
                        sasl.jaas.config: 'Login required username="shop" password="env:PASS";'
                  topics: [ { topic: orders, type: shop.order, servers: 'b2.example:9093' } ]
                """;

        // When
        BrokersConfig config = read(yaml, Map.of()).workflows().brokers();
        BrokersConfig.Broker broker = config.brokers().getFirst();

        // Then
        assertEquals("b1.example:9093,b2.example:9093", broker.bootstrap());
        assertEquals(broker, config.topics().getFirst().broker());
        assertEquals(
                "kafka://b1.example:9093/orders", config.topics().getFirst().source());
        assertEquals(
                Map.of(
                        "ssl.key.password", "k",
                        "sasl.jaas.config", "Login required username=\"shop\" password=\"a\\\"b\";"),
                BrokerSecrets.of(config, Map.of("KEY", "k", "PASS", "a\"b")).properties(broker));
        assertThrows(
                Secrets.MissingException.class,
                () -> BrokerSecrets.of(config, Map.of()).properties(broker));
        assertFalse(broker.toString().contains("shop"));
    }
}
