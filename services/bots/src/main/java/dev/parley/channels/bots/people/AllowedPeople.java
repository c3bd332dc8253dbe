package dev.parley.channels.bots.people;

import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.Sender;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Users whom an operator admitted with a pairing code. Only digests of codes are stored. */
public final class AllowedPeople implements BotAudience {
    private static final int MAX_PENDING = 100;
    private static final Duration CACHE_TTL = Duration.ofSeconds(10);
    private static final int MAX_CACHED = 10_000;

    private final Database database;
    private final ChannelPersonRows rows;
    private final UUID host;
    private final ExpiringCache<Boolean> allowed = new ExpiringCache<>(MAX_CACHED, CACHE_TTL);

    public AllowedPeople(Database database, ChannelPersonRows rows, UUID host) {
        this.database = database;
        this.rows = rows;
        this.host = host;
    }

    private <T> T in(Supplier<T> work) {
        return database.in(Tenant.of(host), work);
    }

    @Override
    public boolean isAllowed(String bot, String user) {
        return allowed.get(bot + " " + user, () -> in(() -> rows.isAllowed(host, bot, user)));
    }

    @Override
    public Optional<String> code(String bot, Sender person) {
        return database.in(Tenant.of(host), transaction -> {
            transaction.lock("quota/pairing codes/" + host + "/" + bot);
            rows.deleteEnded(host, bot);
            if (rows.countWaiting(host, bot) >= MAX_PENDING) {
                return Optional.empty();
            }
            String code = PairingCodes.create();
            int added = rows.insert(host, bot, person.id(), normalizeName(person.name()), PairingCodes.digest(code));
            return added == 1 ? Optional.of(code) : Optional.empty();
        });
    }

    @Override
    public void withdraw(String bot, Sender person) {
        in(() -> {
            rows.deleteWaiting(host, bot, person.id());
            return host;
        });
    }

    /** A name as it is stored. */
    static String normalizeName(String name) {
        return name.replaceAll("\\p{Cntrl}", " ").substring(0, Math.min(name.length(), 100));
    }

    /** Admits the user who was given this code. */
    public Optional<ChannelPerson> allow(String bot, String code) {
        Optional<ChannelPerson> person = in(() -> {
            Optional<ChannelPerson> waiting = rows.locked(host, bot, PairingCodes.digest(code));
            waiting.ifPresent(found -> rows.allow(host, bot, found.user()));
            return waiting;
        });
        allowed.clear();
        return person;
    }

    /** Withdraws the admission of a user. */
    public boolean remove(String bot, String user) {
        int removed = in(() -> rows.delete(host, bot, user));
        allowed.clear();
        return removed > 0;
    }

    /** Withdraws all admissions of a bot. */
    public void forget(String bot) {
        in(() -> rows.deleteAll(host, bot));
        allowed.clear();
    }

    /** The admitted users of a bot. */
    public List<ChannelPerson> people(String bot) {
        return in(() -> rows.allowed(host, bot));
    }
}
