package dev.parley.platform.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of {@code parley.yml} as they stand there. Unknown keys are errors. */
record ConfigFile(
        @JsonProperty("data") @Nullable String data,
        @JsonProperty("blobs") @Nullable String blobs,
        @JsonProperty("port") @Nullable Integer port,
        @JsonProperty("bind") @Nullable String bind,
        @JsonProperty("url") @Nullable String url,
        @JsonProperty("roles") @Nullable String roles,
        @JsonProperty("model") @Nullable String model,
        @JsonProperty("transcriber") @Nullable String transcriber,
        @JsonProperty("masterKey") @Nullable String masterKey,
        @JsonProperty("kafka") @Nullable KafkaSection kafka,
        @JsonProperty("postgres") @Nullable PostgresSection postgres,
        @JsonProperty("registry") @Nullable String registry,
        @JsonProperty("partitions") @Nullable Integer partitions,
        @JsonProperty("replicas") @Nullable Short replicas,
        @JsonProperty("instance") @Nullable String instance,
        @JsonProperty("providers") @Nullable Map<String, ProviderSection> providers,
        @JsonProperty("prices") @Nullable List<Price> prices,
        @JsonProperty("telegram") @Nullable List<TelegramSection> telegram,
        @JsonProperty("slack") @Nullable List<SlackSection> slack,
        @JsonProperty("webhooks") @Nullable List<WebhookSection> webhooks,
        @JsonProperty("discord") @Nullable List<DiscordSection> discord,
        @JsonProperty("bots") @Nullable List<@Nullable PluginBotSection> bots,
        @JsonProperty("plugins") @Nullable String plugins,
        @JsonProperty("signIn") @Nullable SignInSection signIn,
        @JsonProperty("mail") @Nullable MailSection mail,
        @JsonProperty("agents") @Nullable List<AgentSection> agents,
        @JsonProperty("permissions") @Nullable List<PermissionSection> permissions,
        @JsonProperty("tools") @Nullable ToolsSection tools,
        @JsonProperty("workflows") @Nullable WorkflowsSection workflows,
        @JsonProperty("jsonTopics") @Nullable List<@Nullable JsonTopicSection> jsonTopics,
        @JsonProperty("embedding") @Nullable String embedding) {

    private static final ConfigFile EMPTY = new ConfigFile(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null, null, null, null, null, null, null, null, null, null);

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory())
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    record WorkflowsSection(
            @JsonProperty("mockOutputs") @Nullable Boolean mockOutputs,
            @JsonProperty("shell") @Nullable Boolean shell,
            @JsonProperty("containers") @Nullable ContainersSection containers,
            @JsonProperty("kafka") @Nullable List<@Nullable BrokerSection> kafka,
            @JsonProperty("topics") @Nullable List<@Nullable MappedTopicSection> topics) {}

    record JsonTopicSection(
            @JsonProperty("topic") @Nullable String topic,
            @JsonProperty("types") @Nullable List<@Nullable String> types) {}

    record ContainersSection(
            @JsonProperty("program") @Nullable String program,
            @JsonProperty("images") @Nullable List<@Nullable String> images,
            @JsonProperty("network") @Nullable String network,
            @JsonProperty("memory") @Nullable String memory,
            @JsonProperty("cpus") @Nullable String cpus) {}

    record BrokerSection(
            @JsonProperty("servers") @Nullable String servers,
            @JsonProperty("properties") @Nullable Map<String, String> properties) {}

    record MappedTopicSection(
            @JsonProperty("topic") @Nullable String topic,
            @JsonProperty("project") @Nullable String project,
            @JsonProperty("type") @Nullable String type,
            @JsonProperty("source") @Nullable String source,
            @JsonProperty("servers") @Nullable String servers) {}

    record KafkaSection(
            @JsonProperty("bootstrap") @Nullable String bootstrap,
            @JsonProperty("settings") @Nullable Map<String, String> settings) {}

    record PostgresSection(
            @JsonProperty("url") @Nullable String url,
            @JsonProperty("user") @Nullable String user,
            @JsonProperty("password") @Nullable String password,
            @JsonProperty("appUser") @Nullable String appUser,
            @JsonProperty("appPassword") @Nullable String appPassword) {}

    record ProviderSection(
            @JsonProperty("kind") @Nullable String kind,
            @JsonProperty("baseUrl") @Nullable String baseUrl,
            @JsonProperty("apiKey") @Nullable String apiKey,
            @JsonProperty("headers") @Nullable Map<String, String> headers,
            @JsonProperty("proxy") @Nullable String proxy,
            @JsonProperty("timeouts") @Nullable TimeoutsSection timeouts,
            @JsonProperty("callsPerMinute") @Nullable Integer callsPerMinute,
            @JsonProperty("options") @Nullable Map<String, String> options) {
        static final ProviderSection EMPTY = new ProviderSection(null, null, null, null, null, null, null, null);
    }

    record TimeoutsSection(
            @JsonProperty("connect") @Nullable String connect,
            @JsonProperty("firstToken") @Nullable String firstToken,
            @JsonProperty("idle") @Nullable String idle,
            @JsonProperty("total") @Nullable String total) {}

    record AgentSection(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("description") @Nullable String description,
            @JsonProperty("mode") @Nullable String mode,
            @JsonProperty("hidden") @Nullable Boolean hidden,
            @JsonProperty("model") @Nullable String model,
            @JsonProperty("apiKey") @Nullable String apiKey,
            @JsonProperty("prompt") @Nullable String prompt,
            @JsonProperty("tools") @Nullable List<String> tools,
            @JsonProperty("skills") @Nullable List<AgentSkillSection> skills,
            @JsonProperty("temperature") @Nullable Double temperature,
            @JsonProperty("topP") @Nullable Double topP,
            @JsonProperty("maxTokens") @Nullable Integer maxTokens,
            @JsonProperty("thinking") @Nullable String thinking,
            @JsonProperty("limits") @Nullable LimitsSection limits,
            @JsonProperty("options") @Nullable Map<String, String> options,
            @JsonProperty("guardrails") @Nullable List<@Nullable GuardrailFields> guardrails) {}

    record AgentSkillSection(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("version") @Nullable String version,
            @JsonProperty("priority") @Nullable Integer priority) {}

    record ToolsSection(
            @JsonProperty("allowedHosts") @Nullable List<String> allowedHosts,
            @JsonProperty("stdio") @Nullable Boolean stdio,
            @JsonProperty("plugins") @Nullable String plugins,
            @JsonProperty("secrets") @Nullable Map<String, List<String>> secrets,
            @JsonProperty("checkouts") @Nullable List<@Nullable String> checkouts,
            @JsonProperty("shell") @Nullable Boolean shell) {}

    record PermissionSection(
            @JsonProperty("agent") @Nullable String agent,
            @JsonProperty("tool") @Nullable String tool,
            @JsonProperty("pattern") @Nullable String pattern,
            @JsonProperty("action") @Nullable String action,
            @JsonProperty("locked") @Nullable Boolean locked) {}

    record TelegramSection(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("token") @Nullable String token,
            @JsonProperty("apiUrl") @Nullable String apiUrl,
            @JsonProperty("project") @Nullable String project,
            @JsonProperty("agent") @Nullable String agent,
            @JsonProperty("allowedUsers") @Nullable List<Long> allowedUsers,
            @JsonProperty("allowAll") @Nullable Boolean allowAll,
            @JsonProperty("pairing") @Nullable Boolean pairing,
            @JsonProperty("groups") @Nullable String groups,
            @JsonProperty("webhook") @Nullable String webhook,
            @JsonProperty("webhookSecret") @Nullable String webhookSecret,
            @JsonProperty("webhookFrom") @Nullable List<String> webhookFrom,
            @JsonProperty("stream") @Nullable Boolean stream) {
        static final TelegramSection EMPTY =
                new TelegramSection(null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    record SlackSection(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("token") @Nullable String token,
            @JsonProperty("appToken") @Nullable String appToken,
            @JsonProperty("signingSecret") @Nullable String signingSecret,
            @JsonProperty("apiUrl") @Nullable String apiUrl,
            @JsonProperty("project") @Nullable String project,
            @JsonProperty("agent") @Nullable String agent,
            @JsonProperty("allowedUsers") @Nullable List<@Nullable String> allowedUsers,
            @JsonProperty("allowAll") @Nullable Boolean allowAll,
            @JsonProperty("pairing") @Nullable Boolean pairing,
            @JsonProperty("groups") @Nullable String groups,
            @JsonProperty("stream") @Nullable Boolean stream) {}

    record WebhookSection(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("url") @Nullable String url,
            @JsonProperty("secret") @Nullable String secret,
            @JsonProperty("project") @Nullable String project,
            @JsonProperty("agent") @Nullable String agent,
            @JsonProperty("allowedUsers") @Nullable List<String> allowedUsers,
            @JsonProperty("allowAll") @Nullable Boolean allowAll,
            @JsonProperty("stream") @Nullable Boolean stream) {}

    record PluginBotSection(
            @JsonProperty("kind") @Nullable String kind,
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("token") @Nullable String token,
            @JsonProperty("project") @Nullable String project,
            @JsonProperty("agent") @Nullable String agent,
            @JsonProperty("allowedUsers") @Nullable List<@Nullable String> allowedUsers,
            @JsonProperty("allowAll") @Nullable Boolean allowAll,
            @JsonProperty("stream") @Nullable Boolean stream,
            @JsonProperty("settings") @Nullable Map<String, @Nullable String> settings) {}

    record DiscordSection(
            @JsonProperty("name") @Nullable String name,
            @JsonProperty("token") @Nullable String token,
            @JsonProperty("apiUrl") @Nullable String apiUrl,
            @JsonProperty("project") @Nullable String project,
            @JsonProperty("agent") @Nullable String agent,
            @JsonProperty("allowedUsers") @Nullable List<@Nullable String> allowedUsers,
            @JsonProperty("allowAll") @Nullable Boolean allowAll,
            @JsonProperty("pairing") @Nullable Boolean pairing,
            @JsonProperty("groups") @Nullable String groups,
            @JsonProperty("stream") @Nullable Boolean stream) {}

    record SignInSection(
            @JsonProperty("providers") @Nullable Map<String, IdentityProviderSection> providers,
            @JsonProperty("redirects") @Nullable List<String> redirects,
            @JsonProperty("issuers") @Nullable List<TokenIssuerSection> issuers) {}

    record TokenIssuerSection(
            @JsonProperty("issuer") @Nullable String issuer,
            @JsonProperty("audience") @Nullable List<String> audience,
            @JsonProperty("provider") @Nullable String provider,
            @JsonProperty("jwks") @Nullable String jwks,
            @JsonProperty("algorithms") @Nullable List<String> algorithms,
            @JsonProperty("types") @Nullable List<String> types,
            @JsonProperty("clockSkew") @Nullable String clockSkew,
            @JsonProperty("personClaim") @Nullable String personClaim,
            @JsonProperty("people") @Nullable Map<String, String> people,
            @JsonProperty("opens") @Nullable OpensSection opens) {}

    record OpensSection(
            @JsonProperty("claim") @Nullable String claim,
            @JsonProperty("values") @Nullable Map<String, List<String>> values) {}

    record IdentityProviderSection(
            @JsonProperty("title") @Nullable String title,
            @JsonProperty("clientId") @Nullable String clientId,
            @JsonProperty("clientSecret") @Nullable String clientSecret,
            @JsonProperty("issuer") @Nullable String issuer,
            @JsonProperty("scopes") @Nullable List<String> scopes,
            @JsonProperty("url") @Nullable String url,
            @JsonProperty("apiUrl") @Nullable String apiUrl) {}

    record MailSection(
            @JsonProperty("host") @Nullable String host,
            @JsonProperty("port") @Nullable Integer port,
            @JsonProperty("user") @Nullable String user,
            @JsonProperty("password") @Nullable String password,
            @JsonProperty("from") @Nullable String from,
            @JsonProperty("starttls") @Nullable Boolean starttls) {}

    record LimitsSection(
            @JsonProperty("maxSteps") @Nullable Integer maxSteps,
            @JsonProperty("turnTimeout") @Nullable String turnTimeout,
            @JsonProperty("modelAttempts") @Nullable Integer modelAttempts,
            @JsonProperty("sessionTokens") @Nullable Long sessionTokens,
            @JsonProperty("sessionCost") @Nullable Double sessionCost,
            @JsonProperty("compactAt") @Nullable Integer compactAt,
            @JsonProperty("keep") @Nullable Integer keep,
            @JsonProperty("maxQueued") @Nullable Integer maxQueued,
            @JsonProperty("skillTokens") @Nullable Integer skillTokens) {}

    /** Reads a file; one that is not there, or is empty, sets nothing. */
    static ConfigFile read(Path path) {
        if (!Files.exists(path)) {
            return EMPTY;
        }
        try {
            String text = Files.readString(path);
            boolean says = text.lines()
                    .anyMatch(line -> !line.isBlank() && !line.strip().startsWith("#"));
            return says ? YAML.readValue(text, ConfigFile.class) : EMPTY;
        } catch (UnrecognizedPropertyException e) {
            String known = e.getKnownPropertyIds().stream()
                    .map(Object::toString)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new ConfigException(at(path, e), "there is no such key; known here are " + known);
        } catch (JsonMappingException e) {
            throw new ConfigException(at(path, e), e.getOriginalMessage());
        } catch (JsonProcessingException e) {
            throw new ConfigException(path.toString(), "no YAML: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigException(path.toString(), "cannot be read: " + e.getMessage());
        }
    }

    private static String at(Path path, JsonMappingException e) {
        var key = new StringBuilder();
        for (JsonMappingException.Reference reference : e.getPath()) {
            if (reference.getFieldName() != null) {
                key.append(key.isEmpty() ? "" : ".").append(reference.getFieldName());
            } else {
                key.append('[').append(reference.getIndex()).append(']');
            }
        }
        return path + ": " + key;
    }
}
