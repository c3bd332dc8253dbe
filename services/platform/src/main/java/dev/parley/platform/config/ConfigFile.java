package dev.parley.platform.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.parley.platform.config.PowerSections.CheckoutSection;
import dev.parley.platform.config.PowerSections.PrivateHostSection;
import dev.parley.platform.config.PowerSections.SecretSection;
import dev.parley.platform.config.PowerSections.SwitchSection;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.TextDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The raw content of {@code parley.yml}. Unknown keys are errors. */
record ConfigFile(
        @Nullable String data,
        @Nullable String blobs,
        @Nullable Integer port,
        @Nullable String bind,
        @Nullable String url,
        @Nullable String roles,
        @Nullable String model,
        @Nullable String transcriber,
        @Nullable String masterKey,
        @Nullable String installationKey,
        @Nullable String unsigned,
        @Nullable KafkaSection kafka,
        @Nullable PostgresSection postgres,
        @Nullable String registry,
        @Nullable Integer partitions,
        @Nullable Short replicas,
        @Nullable String instance,
        @Nullable Map<String, ProviderSection> providers,
        @Nullable List<Price> prices,
        @Nullable List<@Nullable Object> telegram,
        @Nullable List<@Nullable Object> slack,
        @Nullable List<@Nullable Object> whatsapp,
        @Nullable List<@Nullable Object> teams,
        @Nullable List<@Nullable Object> webhooks,
        @Nullable List<@Nullable Object> discord,
        @Nullable List<@Nullable Object> bots,
        @Nullable String plugins,
        @Nullable SignInSection signIn,
        @Nullable MailSection mail,
        @Nullable List<@Nullable Object> agents,
        @Nullable List<@Nullable Object> permissions,
        @Nullable ToolsSection tools,
        @Nullable WorkflowsSection workflows,
        @Nullable List<@Nullable JsonTopicSection> jsonTopics,
        @Nullable String embedding,
        @Nullable HttpSection http,
        @Nullable Boolean commandsAsRoot) {

    private static final ConfigFile EMPTY = new ConfigFile(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null);

    private static final ObjectMapper YAML = JsonMappers.yaml()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    record HttpSection(
            @Nullable List<String> hosts,
            @Nullable List<String> trustedProxies,
            @Nullable Integer hsts,
            @Nullable List<String> corsOrigins,
            @Nullable Boolean publicRegistry,
            @Nullable ClientLimitsSection limits) {}

    record WorkflowsSection(
            @Nullable Boolean mockOutputs,
            @Nullable SwitchSection shell,
            @Nullable ContainersSection containers,
            @Nullable List<@Nullable BrokerSection> kafka,
            @Nullable List<@Nullable MappedTopicSection> topics) {}

    record ClientLimitsSection(
            @Nullable Integer connections,
            @Nullable Integer connectionsPerAddress,
            @Nullable Integer streamsPerPerson,
            @Nullable Integer streamsPerHost,
            @Nullable Integer bodyMegabytes) {}

    record JsonTopicSection(
            @Nullable String topic, @Nullable List<@Nullable String> types) {}

    record ContainersSection(
            @Nullable String program,
            @Nullable List<@Nullable String> images,
            @Nullable String network,
            @Nullable String memory,
            @Nullable String cpus,
            @Nullable List<@Nullable String> hosts,
            @Nullable List<@Nullable String> projects) {}

    record BrokerSection(
            @Nullable String servers,
            @Nullable Map<String, String> properties,
            @Nullable List<@Nullable String> hosts,
            @Nullable List<@Nullable String> projects) {}

    record MappedTopicSection(
            @Nullable String topic,
            @Nullable String project,
            @Nullable String type,
            @Nullable String source,
            @Nullable String servers) {}

    record KafkaSection(
            @Nullable String bootstrap, @Nullable Map<String, String> settings) {}

    record PostgresSection(
            @Nullable String url,
            @Nullable String user,
            @Nullable String password,
            @Nullable String appUser,
            @Nullable String appPassword) {}

    record ProviderSection(
            @Nullable String kind,
            @Nullable String baseUrl,
            @Nullable String apiKey,
            @Nullable Map<String, String> headers,
            @Nullable String proxy,
            @Nullable TimeoutsSection timeouts,
            @Nullable Integer callsPerMinute,
            @Nullable Map<String, String> options) {
        static final ProviderSection EMPTY = new ProviderSection(null, null, null, null, null, null, null, null);
    }

    record TimeoutsSection(
            @Nullable String connect,
            @Nullable String firstToken,
            @Nullable String idle,
            @Nullable String total) {}

    record ToolsSection(
            @Nullable List<@Nullable PrivateHostSection> allowedHosts,
            @Nullable SwitchSection stdio,
            @Nullable String plugins,
            @Nullable Map<String, @Nullable SecretSection> secrets,
            @Nullable List<@Nullable CheckoutSection> checkouts,
            @Nullable SwitchSection shell,
            @Nullable SwitchSection java) {
        static final ToolsSection EMPTY = new ToolsSection(null, null, null, null, null, null, null);
    }

    record SignInSection(
            @Nullable Map<String, IdentityProviderSection> providers,
            @Nullable List<String> redirects,
            @Nullable List<TokenIssuerSection> issuers) {}

    record TokenIssuerSection(
            @Nullable String issuer,
            @Nullable List<String> audience,
            @Nullable List<String> clients,
            @Nullable String provider,
            @Nullable String jwks,
            @Nullable List<String> algorithms,
            @Nullable List<String> types,
            @Nullable String clockSkew,
            @Nullable String personClaim,
            @Nullable Map<String, String> people,
            @Nullable OpensSection opens) {}

    record OpensSection(@Nullable String claim, @Nullable Map<String, List<String>> values) {}

    record IdentityProviderSection(
            @Nullable String title,
            @Nullable String clientId,
            @Nullable String clientSecret,
            @Nullable String issuer,
            @Nullable List<String> scopes,
            @Nullable String url,
            @Nullable String apiUrl) {}

    record MailSection(
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String user,
            @Nullable String password,
            @Nullable String from,
            @Nullable Boolean starttls) {}

    /** Reads a file; a missing or empty file has no settings. */
    static ConfigFile read(Path path) {
        if (!Files.exists(path)) {
            return EMPTY;
        }
        try {
            String text = TextDecoder.read(path);
            return hasContent(text) ? YAML.readValue(text, ConfigFile.class) : EMPTY;
        } catch (UnrecognizedPropertyException e) {
            String knownKeys = e.getKnownPropertyIds().stream()
                    .map(Object::toString)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new ConfigException(at(path, e), "unknown key; known keys here are " + knownKeys);
        } catch (JsonMappingException e) {
            throw new ConfigException(at(path, e), e.getOriginalMessage());
        } catch (JsonProcessingException e) { // like those above without its cause, which may quote a secret
            throw new ConfigException(path.toString(), "is not valid YAML: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigException(path.toString(), "cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean hasContent(String text) {
        return text.lines().anyMatch(line -> !line.isBlank() && !line.strip().startsWith("#"));
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
