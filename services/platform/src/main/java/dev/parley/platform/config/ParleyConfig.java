package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.sealing.InstallationKey;
import dev.parley.platform.sealing.MasterKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The complete, validated configuration.
 *
 * @param data folder of the local data of this process
 * @param blobs folder of the content of files
 * @param port the HTTP port
 * @param bind the address that HTTP listens on
 * @param url the public URL, or null to derive it from address and port
 * @param adminKey the administrator's API key, or null to generate one
 * @param masterKeys keys that seal stored secrets, or null to generate one for an embedded database
 * @param installationKey the secret that all processes share, or null to generate one for an embedded broker
 * @param acceptsUnsigned whether records without a signature are accepted, during an update of a cluster
 * @param kafka the brokers, or null for the embedded one
 * @param postgres the database, or null for the embedded one
 * @param registry base URL of a Confluent-compatible schema registry, or null for the bundled ids
 * @param partitions number for new topics
 * @param replicas replication factor of new topics
 * @param instance name of this process, the same after a restart
 * @param drain time for which a stopping process still accepts requests, while it reports that it is not ready
 * @param providers of models, besides the scripted one
 * @param prices of models; they override the built-in ones
 * @param bots on channels
 * @param signIn external sign-in
 * @param mail the SMTP server, or null without e-mail
 * @param agents never empty
 * @param permissions rules about tool calls for all hosts
 * @param tools settings of tools
 * @param workflows settings of workflows
 * @param jsonTopics topics that are mirrored as JSON
 * @param embedding name of the embedding model of new banks
 * @param http names of the server, proxies in front of it, and limits of its clients
 * @param powers who may use what tools and workflows can reach
 */
public record ParleyConfig(
        Path data,
        Path blobs,
        int port,
        String bind,
        @Nullable String url,
        Set<ProcessRole> roles,
        @Nullable String adminKey,
        @Nullable MasterKeys masterKeys,
        @Nullable InstallationKey installationKey,
        boolean acceptsUnsigned,
        @Nullable Kafka kafka,
        @Nullable Postgres postgres,
        @Nullable String registry,
        int partitions,
        short replicas,
        String instance,
        Duration drain,
        List<ProviderConfig> providers,
        List<Price> prices,
        List<BotConfig> bots,
        SignInConfig signIn,
        @Nullable MailConfig mail,
        List<Agent> agents,
        List<PermissionRule> permissions,
        ToolsConfig tools,
        WorkflowsConfig workflows,
        List<JsonTopic> jsonTopics,
        String embedding,
        HttpConfig http,
        PowerGrants powers) {

    public ParleyConfig {
        roles = Set.copyOf(roles);
        providers = List.copyOf(providers);
        prices = List.copyOf(prices);
        bots = List.copyOf(bots);
        agents = List.copyOf(agents);
        permissions = List.copyOf(permissions);
        jsonTopics = List.copyOf(jsonTopics);
    }

    /**
     * Brokers.
     *
     * @param settings additional client settings, such as {@code security.protocol}
     */
    public record Kafka(String bootstrap, Map<String, String> settings) {
        public Kafka {
            settings = Map.copyOf(settings);
        }
    }

    /**
     * A database and its two logins: the owner creates tables, the application only uses them.
     *
     * @param url JDBC URL
     */
    public record Postgres(String url, String ownerUser, String ownerPassword, String appUser, String appPassword) {
        @Override
        public String toString() {
            return "Postgres[url=" + url + "]";
        }
    }

    /** The names of the configured bots whose sessions are in a project. */
    public Set<String> botNames(String projectKey) {
        return bots.stream()
                .filter(bot -> bot.project().equals(projectKey))
                .map(BotConfig::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether this process runs the embedded broker. */
    public boolean embedsKafka() {
        return kafka == null;
    }

    /** Whether this process runs the embedded database. */
    public boolean embedsPostgres() {
        return postgres == null;
    }

    /**
     * Requires the keys that this process cannot generate: a master key with an external database, which must not store
     * it, and an installation key with an external broker, which others use too.
     *
     * @throws ConfigException if one is missing
     */
    public void requireKeys() {
        requireMasterKey();
        requireInstallationKey();
    }

    /** @throws ConfigException if an external broker is configured without an installation key */
    public void requireInstallationKey() {
        if (!embedsKafka() && installationKey == null) {
            throw new ConfigException(
                    "PARLEY_INSTALLATION_KEY",
                    "is needed with PARLEY_KAFKA: the same %d random bytes in base64 for all processes, such as `openssl rand -base64 32` makes; docs/operations.md says how an installation gets it without a stop"
                            .formatted(InstallationKey.LENGTH));
        }
    }

    private void requireMasterKey() {
        boolean needsMasterKey = roles.contains(ProcessRole.CONTROL) || roles.contains(ProcessRole.MODELS);
        if (needsMasterKey && !embedsPostgres() && masterKeys == null) {
            throw new ConfigException(
                    "PARLEY_MASTER_KEY",
                    "is needed by the roles control and models with PARLEY_POSTGRES: the same %d random bytes in base64 for all of them, such as `openssl rand -base64 32` makes"
                            .formatted(MasterKeys.LENGTH));
        }
    }
}
