package dev.parley.channels.bots;

import dev.parley.channels.bots.ProjectBotRows.Stamp;
import dev.parley.channels.contract.BotDirectory;
import dev.parley.channels.contract.BotTokens;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.config.bot.BotNames;
import dev.parley.platform.config.secret.Secrets.MissingException;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.NotOpenedException;
import dev.parley.platform.sealing.Sealing.Sealed;
import dev.parley.platform.service.Recurring;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All bots: those of the configuration and those that projects created. Each instance refreshes the latter from their
 * table every 2 s and on demand. A configured bot takes precedence over one of the same name.
 */
final class BotRegistry extends Recurring implements BotDirectory, BotTokens, BotNames {
    private static final Logger LOG = LoggerFactory.getLogger(BotRegistry.class);
    private static final char SEPARATOR = '#';
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(2);

    private final Map<String, BotConfig> configured = new LinkedHashMap<>();
    private final BotTokens secrets;
    private final Database database;
    private final ProjectBotRows rows;
    private final Optional<Sealing> sealing;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Snapshot snapshot;

    /** @param sealed the rows of project bots, with their sealed secrets */
    private record Snapshot(@Nullable Stamp stamp, Map<String, BotConfig> bots, Map<String, ProjectBot> sealed) {}

    BotRegistry(
            Collection<BotConfig> configured,
            BotTokens secrets,
            Database database,
            ProjectBotRows rows,
            Optional<Sealing> sealing) {
        super("known bots", Duration.ZERO, "the bots of projects cannot be read");
        configured.forEach(bot -> this.configured.put(bot.name(), bot));
        this.secrets = secrets;
        this.database = database;
        this.rows = rows;
        this.sealing = sealing;
        this.snapshot = new Snapshot(null, Map.copyOf(this.configured), Map.of());
    }

    /** The reference to the token of this row; it changes with every version. */
    static String reference(ProjectBot row) {
        return BotConfig.SEALED + row.bot() + "@" + row.version();
    }

    /** The reference to another secret of this row. */
    static String reference(ProjectBot row, String secret) {
        return reference(row) + SEPARATOR + secret;
    }

    /** All bots. */
    Collection<BotConfig> all() {
        return snapshot.bots().values();
    }

    @Override
    public Optional<BotConfig> find(String name) {
        return Optional.ofNullable(snapshot.bots().get(name));
    }

    @Override
    public Set<String> of(String projectKey) {
        return all().stream()
                .filter(bot -> bot.project().equals(projectKey))
                .map(BotConfig::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the bot is defined in the configuration. */
    boolean isConfigured(String name) {
        return configured.containsKey(name);
    }

    /** Registers a listener for changes of the set of bots. */
    void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    protected void pass() {
        refresh();
        reseal();
    }

    @Override
    protected Duration rest(boolean failed) {
        return REFRESH_INTERVAL;
    }

    /**
     * Reads the table now.
     *
     * @throws dev.parley.platform.database.Sql.FailedException where the database does not answer
     */
    void refresh() {
        if (read()) {
            listeners.forEach(Runnable::run);
        }
    }

    /** One reader at a time, so that an older snapshot never replaces a newer one. */
    private synchronized boolean read() {
        Snapshot before = snapshot;
        Snapshot now = database.in(Tenant.ALL, () -> {
            Stamp stamp = rows.stamp();
            return stamp.equals(before.stamp()) ? before : snapshot(stamp, rows.active());
        });
        snapshot = now;
        return !now.bots().equals(before.bots());
    }

    private Snapshot snapshot(Stamp stamp, List<ProjectBot> active) {
        Map<String, BotConfig> bots = new LinkedHashMap<>();
        Map<String, ProjectBot> sealed = new LinkedHashMap<>();
        for (ProjectBot row : active) {
            sealed.put(row.bot(), row);
            bot(row).ifPresent(bot -> bots.put(row.bot(), bot));
        }
        bots.putAll(configured);
        return new Snapshot(stamp, Map.copyOf(bots), Map.copyOf(sealed));
    }

    private static Optional<BotConfig> bot(ProjectBot row) {
        return switch (row.stored()) {
            case Valid<BotConfig>(BotConfig bot) -> Optional.of(bot);
            case Refused<BotConfig> refused -> {
                LOG.atError()
                        .addKeyValue("bot", row.bot())
                        .addKeyValue("problem", refused.problem())
                        .log("settings of a project bot are refused: it does not run");
                yield Optional.empty();
            }
        };
    }

    /** Reseals secrets that were sealed with another master key than the first. */
    private void reseal() {
        if (sealing.isEmpty()) {
            return;
        }
        for (ProjectBot row : snapshot.sealed().values()) {
            if (row.masterKeyId() != sealing.get().first()) {
                reseal(row, sealing.get());
            }
        }
    }

    private void reseal(ProjectBot row, Sealing masterKeys) {
        try {
            Sealed sealed = masterKeys.seal(openSecrets(row), row.hostId(), row.botId());
            database.in(Tenant.of(row.hostId()), () -> {
                rows.reseal(row.hostId(), row.botId(), row.version(), sealed.bytes(), sealed.key());
            });
            forget();
            LOG.atInfo().addKeyValue("bot", row.bot()).log("bot token resealed");
        } catch (MissingException e) {
            // reported as the problem of the bot
        }
    }

    /** Forces a read, although no version has changed. */
    private synchronized void forget() {
        snapshot = new Snapshot(null, snapshot.bots(), snapshot.sealed());
    }

    @Override
    public String get(String reference) {
        if (!reference.startsWith(BotConfig.SEALED)) {
            return secrets.get(reference);
        }
        String name = reference.substring(BotConfig.SEALED.length(), reference.lastIndexOf('@'));
        ProjectBot row = snapshot.sealed().get(name);
        if (row == null) {
            throw new MissingException(name, "was removed with its bot");
        }
        int separator = reference.indexOf(SEPARATOR);
        try {
            return BotSecrets.readSecret(
                    BotKinds.of(row.kind()), openSecrets(row), separator < 0 ? "" : reference.substring(separator + 1));
        } catch (IllegalArgumentException e) {
            throw new MissingException(name, "cannot be read: " + e.getMessage());
        }
    }

    private String openSecrets(ProjectBot row) {
        if (sealing.isEmpty()) {
            throw new MissingException(row.bot(), "cannot be opened: PARLEY_MASTER_KEY is not set");
        }
        try {
            return sealing.get().open(row.sealed(), row.masterKeyId(), row.hostId(), row.botId());
        } catch (NotOpenedException e) {
            throw new MissingException(row.bot(), "cannot be opened: " + e.getMessage(), e);
        }
    }
}
