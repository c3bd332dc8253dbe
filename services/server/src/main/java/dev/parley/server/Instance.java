package dev.parley.server;

import dev.parley.agents.AgentsSchema;
import dev.parley.channels.ChannelsSchema;
import dev.parley.control.ControlSchema;
import dev.parley.control.people.FirstAccount;
import dev.parley.domain.Ids;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.RowSecurityCheck;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import dev.parley.platform.embedded.LocalSignatures;
import dev.parley.platform.embedded.Ports;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.embedded.StartupException;
import dev.parley.platform.health.Draining;
import dev.parley.platform.http.network.Network;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.RecordSignatures;
import dev.parley.platform.kafka.TopicAdmin;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.UnsignedRecords;
import dev.parley.platform.sealing.InstallationKey;
import dev.parley.platform.sealing.MasterKeys;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.serde.RegistrySchemaIds;
import dev.parley.platform.service.Service;
import dev.parley.server.StartedParts.Stage;
import dev.parley.sessions.SessionsSchema;
import dev.parley.tools.ToolsSchema;
import dev.parley.workflows.WorkflowsSchema;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.core.order.OrderUtil;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running process: starts the embedded broker and database, if any, then its roles in order, and {@linkplain
 * StartedParts stops} them.
 */
public final class Instance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Instance.class);
    static final String RUNTIME_FILE = "runtime.json";
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration MIN_SHUTDOWN = Duration.ofSeconds(1);
    private static final String ADMIN_KEY = "admin.key";
    static final String FIRST_ADMINISTRATOR = "first-administrator.code";
    private static final String MASTER_KEY = "master.key";

    /** A migration takes the owner's data source and the role of the application. */
    private record Schema(ProcessRole role, BiConsumer<DataSource, String> migration) {}

    private static final List<Schema> SCHEMAS = List.of(
            new Schema(ProcessRole.CONTROL, ControlSchema::migrate),
            new Schema(ProcessRole.MODELS, AgentsSchema::migrate),
            new Schema(ProcessRole.SESSIONS, SessionsSchema::migrate),
            new Schema(ProcessRole.CHANNELS, ChannelsSchema::migrate),
            new Schema(ProcessRole.TOOLS, ToolsSchema::migrate),
            new Schema(ProcessRole.MEMORY, MemorySchema::migrate),
            new Schema(ProcessRole.WORKFLOWS, WorkflowsSchema::migrate));

    private final ParleyConfig config;
    private final StartedParts started;

    private @Nullable EmbeddedServer server;
    private @Nullable DataFolder data;
    private String adminKey = "";
    /** Only the embedded database belongs to one process, which alone knows the code. */
    private Optional<String> firstAdministratorCode = Optional.empty();

    private Instance(ParleyConfig config) {
        this.config = config;
        this.started = new StartedParts(config.drain());
    }

    /**
     * Starts everything and returns when it is ready for work.
     *
     * @throws RuntimeException with a message for the operator; parts that were started are stopped
     */
    public static Instance start(ParleyConfig config) {
        JsonMappers.limitLibraries();
        config.requireKeys();
        var instance = new Instance(config);
        try {
            instance.startAll();
            return instance;
        } catch (RuntimeException | Error e) {
            instance.close();
            throw e;
        }
    }

    private void startAll() {
        DataFolder folder = started.add(Stage.FOLDER, "data folder", DataFolder.open(config.data()));
        data = folder;
        config.powers().warnings().forEach(LOG::warn);
        useRegistry();
        String configured = config.adminKey();
        adminKey = configured == null ? folder.secret(ADMIN_KEY) : configured;
        if (config.embedsPostgres()) {
            firstAdministratorCode = Optional.of(folder.secret(FIRST_ADMINISTRATOR));
        }
        var postgres = CompletableFuture.supplyAsync(() -> migrate(postgres(folder)));
        KafkaClients clients;
        try {
            clients = kafka(folder).forProcess(config.instance());
        } finally {
            postgres.handle((database, failure) -> database).join();
        }
        PostgresDatabase database = join(postgres);
        runTimed("topics", () -> createTopics(clients));
        ApplicationContext context = context(clients, database, installationKey(folder), sealing(folder));
        runTimed("roles", () -> startServices(context));
        writeRuntimeFile(folder, clients, database);
    }

    private void useRegistry() {
        String registry = config.registry();
        if (registry != null) {
            Map<String, Class<?>> types = new LinkedHashMap<>();
            Topics.all().stream()
                    .filter(topic -> !topic.holdsCopies())
                    .forEach(topic -> types.put(topic.name(), topic.type()));
            RecordCodec.use(RegistrySchemaIds.register(registry, types));
        }
    }

    /** Runs a step of the start and logs its duration. */
    private static void runTimed(String part, Runnable step) {
        long start = System.nanoTime();
        step.run();
        LOG.atDebug()
                .addKeyValue("part", part)
                .addKeyValue("ms", (System.nanoTime() - start) / 1_000_000)
                .log("started");
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private KafkaClients kafka(DataFolder folder) {
        ParleyConfig.Kafka external = config.kafka();
        KafkaClients clients = external != null
                ? KafkaClients.of(external.bootstrap(), external.settings())
                : started.add(Stage.INFRASTRUCTURE, "embedded broker", EmbeddedKafka.start(folder, 0))
                        .clients();
        if (config.acceptsUnsigned()) {
            LOG.warn("Records without a signature are accepted: set PARLEY_UNSIGNED=refuse when all processes sign");
        }
        return clients.signing(
                external != null || config.acceptsUnsigned()
                        ? new RecordSignatures(
                                installationKey(folder),
                                config.acceptsUnsigned() ? UnsignedRecords.ALL : UnsignedRecords.NONE)
                        : LocalSignatures.of(folder, config.installationKey(), clients));
    }

    private PostgresDatabase postgres(DataFolder folder) {
        ParleyConfig.Postgres external = config.postgres();
        if (external == null) {
            return started.add(Stage.INFRASTRUCTURE, "embedded database", EmbeddedPostgresServer.start(folder, 0))
                    .database();
        }
        return new PostgresDatabase(
                new DatabaseLogin(external.url(), external.ownerUser(), external.ownerPassword()),
                new DatabaseLogin(external.url(), external.appUser(), external.appPassword()));
    }

    private PostgresDatabase migrate(PostgresDatabase database) {
        var owner = Databases.single(database.owner());
        SCHEMAS.stream()
                .filter(schema -> config.roles().contains(schema.role()))
                .forEach(schema ->
                        schema.migration().accept(owner, database.app().user()));
        RowSecurityCheck.weaknesses(Database.of(Databases.single(database.app())))
                .forEach(LOG::warn);
        return database;
    }

    private void createTopics(KafkaClients clients) {
        try (var admin = clients.admin("topics")) {
            new TopicAdmin(admin, config.partitions(), config.replicas()).createMissing();
        }
    }

    /** The sealing of credentials. Without a configured master key the embedded database uses a generated one. */
    private Optional<Sealing> sealing(DataFolder folder) {
        MasterKeys configured = config.masterKeys();
        if (configured == null && !config.embedsPostgres()) {
            return Optional.empty();
        }
        return Optional.of(new Sealing(configured == null ? readMasterKeys(folder) : configured));
    }

    private static MasterKeys readMasterKeys(DataFolder folder) {
        try {
            return MasterKeys.parse(folder.secret(MASTER_KEY));
        } catch (IllegalArgumentException e) {
            throw new StartupException(folder.resolve(MASTER_KEY) + ": " + e.getMessage());
        }
    }

    /** The configured key; with the embedded broker otherwise the one in the data folder, generated once. */
    private InstallationKey installationKey(DataFolder folder) {
        InstallationKey configured = config.installationKey();
        return configured == null ? LocalSignatures.key(folder) : configured;
    }

    private ApplicationContext context(
            KafkaClients clients, PostgresDatabase database, InstallationKey installation, Optional<Sealing> sealing) {
        var builder = ApplicationContext.builder()
                .banner(false)
                .deduceEnvironment(false)
                .properties(properties(database))
                .singletons(config, clients, installation);
        sealing.ifPresent(builder::singletons);
        return started.add(Stage.BEANS, "beans", builder.start());
    }

    private Map<String, Object> properties(PostgresDatabase database) {
        var properties = new HashMap<String, Object>();
        for (ProcessRole role : config.roles()) {
            properties.put("parley.role." + role.code(), "true");
        }
        properties.put("parley.admin-key", adminKey);
        properties.put("parley.host", Ids.of("host", "default").toString());
        properties.put("parley.data", config.data().toString());
        properties.put("parley.blobs", config.blobs().toString());
        properties.put("parley.bind", config.bind());
        if (config.url() != null) {
            properties.put("parley.url", config.url());
        }
        firstAdministratorCode.ifPresent(code -> properties.put("parley.first-administrator-code", code));
        properties.put("parley.hosts", String.join(",", config.http().hosts()));
        properties.put("parley.trusted-proxies", String.join(",", config.http().trustedProxies()));
        properties.put("parley.hsts", config.http().hsts());
        properties.put(
                "parley.public-registry",
                config.http()
                        .isRegistryPublic(
                                Network.isLoopback(config.bind(), Objects.requireNonNullElse(config.url(), ""))));
        properties.put("parley.instance", config.instance());
        properties.put("micronaut.server.host", config.bind());
        properties.put("micronaut.server.port", Ports.freeOr(config.port()));
        properties.putAll(config.http().corsProperties());
        properties.putAll(Databases.pool(database.app()));
        return properties;
    }

    private void startServices(ApplicationContext context) {
        List<BeanRegistration<Service>> registered = context.getBeanRegistrations(Service.class).stream()
                .sorted(OrderUtil.COMPARATOR)
                .toList();
        for (BeanRegistration<Service> registration : registered) {
            Service service = registration.bean();
            started.add(Stage.ofService(registration.getOrder()), service.name(), service);
            runTimed(service.name(), service::start);
        }
        List<Service> services = registered.stream().map(BeanRegistration::bean).toList();
        runTimed("ready", () -> awaitReady(services));
        EmbeddedServer http = context.getBean(EmbeddedServer.class);
        runTimed("http", http::start);
        server = http;
        started.add(Stage.HTTP, "http", () -> stopHttp((NettyEmbeddedServer) http));
    }

    /** Accepts no more connections and completes running requests; streams are closed at the timeout. */
    private void stopHttp(NettyEmbeddedServer http) {
        long limit = Math.max(config.drain().toMillis(), MIN_SHUTDOWN.toMillis());
        http.shutdownGracefully()
                .toCompletableFuture()
                .completeOnTimeout(null, limit, TimeUnit.MILLISECONDS)
                .join();
        // Stops only the server: stopping the context would also close beans that the services need to stop.
        http.stopServerOnly();
    }

    /** Waits until all services are ready, so that the first request does not wait for state stores. */
    private static void awaitReady(List<Service> services) {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        for (Service service : services) {
            while (service.problem().or(service::moving).isPresent()) {
                if (System.nanoTime() > deadline) {
                    throw new StartupException("The part '%s' did not become ready within %d s: it %s"
                            .formatted(
                                    service.name(),
                                    READY_TIMEOUT.toSeconds(),
                                    service.problem().or(service::moving).orElse("")));
                }
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }

    private void writeRuntimeFile(DataFolder folder, KafkaClients clients, PostgresDatabase database) {
        var running = new Infrastructure.Running(
                url(),
                ProcessHandle.current().pid(),
                clients.bootstrap(),
                database.owner().url());
        try {
            Files.writeString(folder.resolve(RUNTIME_FILE), running.json());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL of the API. */
    public String url() {
        String configured = config.url();
        return configured != null ? configured : "http://" + Network.hostOfUrl(config.bind()) + ":" + port();
    }

    /** The HTTP port, which differs from the configured one if that was in use. */
    public int port() {
        return server == null ? config.port() : server.getPort();
    }

    /** The key of the API. */
    public String adminKey() {
        return adminKey;
    }

    /** The code with which the first administrator registers; empty where somebody has an account. */
    public Optional<String> firstAdministratorCode() {
        return firstAdministratorCode.filter(
                code -> beans().getBean(FirstAccount.class).isMissing());
    }

    /** Beans of the process, for tests and benchmarks. */
    public ApplicationContext beans() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server.getApplicationContext();
    }

    /** Reports not ready, and keeps serving until load balancers have noticed. */
    void drain() throws InterruptedException {
        beans().getBean(Draining.class).begin();
        Thread.sleep(config.drain());
    }

    @Override
    public synchronized void close() {
        if (data != null) {
            deleteRuntimeFile(data);
        }
        started.close();
    }

    private static void deleteRuntimeFile(DataFolder folder) {
        try {
            Files.deleteIfExists(folder.resolve(RUNTIME_FILE));
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("runtime.json could not be deleted");
        }
    }
}
