package dev.parley.channels.bots.people;

import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.collection.RecentCounts;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Links between users of channels and accounts, and the one-time codes that prove them. */
public final class ChannelLinks implements AccountLinks {
    /** Lifetime of a code. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final int MAX_WRONG = 5;
    private static final int MAX_CACHED = 10_000;
    private static final Duration CACHE_TTL = Duration.ofSeconds(1);
    /** Maximum age of cached links while the database is unavailable. */
    private static final Duration MAX_STALE = Duration.ofMinutes(5);

    private final Database database;
    private final ChannelLinkRows rows;
    private final UUID host;
    private final Chats chats;
    private final AccessDirectory directory;
    private final Consumer<AuditEntry> audit;
    private final ExpiringCache<Optional<UUID>> accounts = new ExpiringCache<>(MAX_CACHED, CACHE_TTL, MAX_STALE);
    private final RecentCounts wrongCodes = new RecentCounts(LIFE, MAX_CACHED);

    /** @param audit receives the links that are created and removed in chats */
    public ChannelLinks(
            Database database,
            ChannelLinkRows rows,
            UUID host,
            Chats chats,
            AccessDirectory directory,
            Consumer<AuditEntry> audit) {
        this.database = database;
        this.rows = rows;
        this.host = host;
        this.chats = chats;
        this.directory = directory;
        this.audit = audit;
    }

    @Override
    public Optional<UUID> account(String bot, String user) {
        return accounts.get(
                bot + " " + user, () -> in(() -> rows.find(host, bot, user)).map(ChannelLink::account));
    }

    private <T> T in(Supplier<T> work) {
        return database.in(Tenant.of(host), work);
    }

    /** A new code for this account, which replaces the previous one. */
    String code(UUID account) {
        String code = PairingCodes.create();
        in(() -> {
            rows.deleteEndedCodes(host);
            rows.setCode(host, account, PairingCodes.digest(code), Instant.now().plus(LIFE));
            return code;
        });
        return code;
    }

    @Override
    public Linked link(String bot, Sender sender, String code) {
        if (isRateLimited(bot, sender)) {
            return new Linked.TooOften();
        }
        byte[] digest = PairingCodes.digest(code);
        Optional<UUID> linked = redeem(bot, sender, digest);
        linked.ifPresent(user -> audit("create", bot, sender.id(), user));
        Optional<UUID> account = linked.or(() -> findRedeemed(bot, sender, digest));
        accounts.clear();
        if (account.isEmpty()) {
            countWrong(bot, sender);
            return new Linked.WrongCode();
        }
        String name = directory.account(host, account.get()).map(Account::name).orElse("?");
        return new Linked.Yes(account.get(), name);
    }

    private Optional<UUID> redeem(String bot, Sender sender, byte[] digest) {
        return in(() -> {
            Optional<UUID> account = rows.lockCode(host, digest);
            account.ifPresent(user -> {
                rows.deleteCode(host, digest);
                String name = AllowedPeople.normalizeName(sender.name());
                rows.set(host, UUID.randomUUID(), bot, sender.id(), name, user, digest);
            });
            return account;
        });
    }

    /** The account that this code linked earlier, for a redelivered message. */
    private Optional<UUID> findRedeemed(String bot, Sender sender, byte[] digest) {
        return in(() -> rows.find(host, bot, sender.id()))
                .filter(link -> MessageDigest.isEqual(link.codeSha256(), digest))
                .map(ChannelLink::account);
    }

    @Override
    public void invalidate(String bot, Sender sender, String code) {
        if (isRateLimited(bot, sender)) {
            return;
        }
        int invalidated = in(() -> rows.deleteCode(host, PairingCodes.digest(code)));
        if (invalidated == 0) {
            countWrong(bot, sender);
        }
    }

    private boolean isRateLimited(String bot, Sender sender) {
        return wrongCodes.of(bot + " " + sender.id()) >= MAX_WRONG;
    }

    private void countWrong(String bot, Sender sender) {
        wrongCodes.add(bot + " " + sender.id());
    }

    /** The links of all accounts, newest first, at most 1,000. */
    public List<ChannelLink> all() {
        return in(() -> rows.all(host));
    }

    /** The links of an account. */
    public List<ChannelLink> of(UUID account) {
        return in(() -> rows.of(host, account));
    }

    @Override
    public boolean unlink(String bot, String user) {
        Optional<ChannelLink> removed = remove(() -> rows.find(host, bot, user));
        removed.ifPresent(link -> audit("remove", bot, user, link.account()));
        return removed.isPresent();
    }

    private void audit(String action, String bot, String channelUser, UUID account) {
        audit.accept(new AuditEntry(
                UUID.randomUUID(),
                host,
                null,
                "channel-link",
                action,
                bot + "/" + channelUser,
                account.toString(),
                null,
                null,
                Instant.now(),
                true,
                null));
    }

    /** Removes a link of this account; false where it has none with this id. */
    boolean remove(UUID account, UUID id) {
        return remove(() -> rows.find(host, account, id)).isPresent();
    }

    private Optional<ChannelLink> remove(Supplier<Optional<ChannelLink>> find) {
        Optional<ChannelLink> removed = in(() -> find.get().filter(link -> rows.delete(host, link.id()) > 0));
        accounts.clear();
        // Later messages do not belong to the account: the private chat, whose id is the user's, starts a new session.
        removed.ifPresent(link -> chats.moveChat(link.bot(), newSessionChat(link.user()), link.user()));
        return removed;
    }

    /** A new, unique chat id for session keys. */
    private static String newSessionChat(String chat) {
        return chat + "~" + PairingCodes.create().toLowerCase(Locale.ROOT);
    }
}
