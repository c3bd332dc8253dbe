package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.platform.sealing.MasterKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The complete, validated configuration.
 *
 * @param data the folder with what this process keeps
 * @param blobs the folder with the bytes of files
 * @param port the wanted HTTP port
 * @param bind the address that HTTP listens on
 * @param url the public URL, or null for one made of address and port
 * @param adminKey the key of the API, or null to make one
 * @param masterKeys what seals secrets that are kept, or null to make one for an embedded database
 * @param kafka the brokers, or null for the embedded one
 * @param postgres the database, or null for the embedded one
 * @param registry base URL of a Confluent-compatible schema registry, or null for the bundled ids
 * @param partitions of each topic that has to be made
 * @param replicas of each partition
 * @param instance this process's name, the same after a restart
 * @param drain for how long a process that is told to stop takes requests still, while it says that it is not ready
 * @param providers who answers for models, besides the scripted one
 * @param prices of models, before those that come with the build
 * @param bots on channels
 * @param signIn how people sign in elsewhere than here
 * @param mail how e-mail is sent, or null for not at all
 * @param agents what people can talk to; never empty
 * @param permissions rules about tool calls for all hosts
 * @param tools what tools that are defined while everything runs may do
 * @param workflows what workflows may do
 * @param jsonTopics topics that are mirrored as JSON
 * @param embedding name of the model by which new banks know what texts mean
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
        String embedding) {

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
     * @param settings further client settings, such as {@code security.protocol}
     */
    public record Kafka(String bootstrap, Map<String, String> settings) {
        public Kafka {
            settings = Map.copyOf(settings);
        }
    }

    /**
     * A database and its two logins: the owner makes tables, the application only uses them.
     *
     * @param url JDBC URL
     */
    public record Postgres(String url, String ownerUser, String ownerPassword, String appUser, String appPassword) {
        @Override
        public String toString() {
            return "Postgres[url=" + url + "]";
        }
    }

    /** Whether this process brings its own broker. */
    public boolean embedsKafka() {
        return kafka == null;
    }

    /** Whether this process brings its own database. */
    public boolean embedsPostgres() {
        return postgres == null;
    }

    /**
     * A database that stands elsewhere needs a master key that does so, too: whoever has the one must not have the other.
     *
     * @throws ConfigException when such a process has none
     */
    public void requireMasterKey() {
        boolean needs = roles.contains(ProcessRole.CONTROL) || roles.contains(ProcessRole.MODELS);
        if (needs && !embedsPostgres() && masterKeys == null) {
            throw new ConfigException(
                    "PARLEY_MASTER_KEY",
                    "is needed by the roles control and models with PARLEY_POSTGRES: the same %d random bytes in base64 for all of them, such as `openssl rand -base64 32` makes"
                            .formatted(MasterKeys.LENGTH));
        }
    }
}
