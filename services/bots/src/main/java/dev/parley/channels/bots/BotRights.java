package dev.parley.channels.bots;

import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.http.Caller;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what users of channels may do. Users linked with an account have its rights in the bot's project. All others
 * must be admitted; a bot of a project other than {@code default} admits only users that it knows by id.
 */
final class BotRights implements Rights {
    private static final Logger LOG = LoggerFactory.getLogger(BotRights.class);

    /** The capabilities of admitted users without a linked account. */
    static final Set<Capability> UNLINKED_CAPABILITIES =
            Set.of(Capability.SESSION_READ, Capability.SESSION_SEND, Capability.FILE_WRITE, Capability.MEMORY_WRITE);

    private final UUID host;
    private final AccessDirectory directory;
    private final AccountLinks links;
    private final BotAudience people;
    private final Set<String> lost = ConcurrentHashMap.newKeySet();

    BotRights(UUID host, AccessDirectory directory, AccountLinks links, BotAudience people) {
        this.host = host;
        this.directory = directory;
        this.links = links;
        this.people = people;
    }

    @Override
    public Verdict decide(BotConfig bot, Sender sender, Capability... required) {
        return links.account(bot.name(), sender.id())
                .map(account -> new Verdict(decideLinked(bot, account, required), sender.as(account)))
                .orElseGet(() -> new Verdict(decideUnlinked(bot, sender, required), sender));
    }

    /**
     * Decides whether a user may still do this, for what is done later in their name.
     *
     * @param user in records: the linked account, else the kind of the channel and its own id of the person
     */
    Verdict decide(BotConfig bot, @Nullable String user, Capability... required) {
        String own = bot.kind() + ":";
        if (user != null && user.startsWith(own)) {
            String id = user.substring(own.length());
            return decide(bot, new Sender(id, id), required);
        }
        var nobody = new Sender("", "");
        try {
            UUID account = Ids.parse(user == null ? "" : user);
            return new Verdict(decideLinked(bot, account, required), nobody.as(account));
        } catch (IllegalArgumentException e) {
            return new Verdict(Decision.STRANGER, nobody);
        }
    }

    private Decision decideLinked(BotConfig bot, UUID account, Capability... required) {
        Caller caller = Caller.inNameOf(host, account, directory).orElse(null);
        Project project = project(bot).orElse(null);
        return Arrays.stream(required)
                .map(capability -> caller == null ? Decision.OUTSIDE : decision(caller, capability, project))
                .filter(decision -> decision != Decision.ALLOWED)
                .findFirst()
                .orElse(Decision.ALLOWED);
    }

    private static Decision decision(Caller caller, Capability capability, @Nullable Project project) {
        if (!capability.inProject()) {
            return caller.may(capability) ? Decision.ALLOWED : Decision.FORBIDDEN;
        }
        return switch (caller.decide(capability, project)) {
            case ALLOWED -> Decision.ALLOWED;
            case FORBIDDEN -> Decision.FORBIDDEN;
            case HIDDEN -> Decision.OUTSIDE;
            case ARCHIVED -> Decision.ARCHIVED;
        };
    }

    /**
     * The decision for users without a linked account. {@code allowAll} admits everybody in the project
     * {@code default}; in other projects only for kinds whose signing system vouches for its users (webhooks). Kinds of
     * plug-ins are not known here, so their {@code allowAll} admits nobody outside {@code default}: the safe default,
     * because nothing proves who their users are.
     */
    private Decision decideUnlinked(BotConfig bot, Sender sender, Capability... required) {
        boolean common = bot.project().equals(RecordKey.DEFAULT_PROJECT);
        boolean vouched =
                BotKinds.find(bot.kind()).filter(kind -> !kind.isPlatform()).isPresent();
        boolean open = bot.allowAll() && (common || vouched);
        if (!open && !isAdmitted(bot, sender)) {
            return common || bot.pairing() ? Decision.STRANGER : Decision.UNLINKED;
        }
        if (!UNLINKED_CAPABILITIES.containsAll(List.of(required))) {
            return Decision.UNLINKED;
        }
        boolean reads = Arrays.stream(required).allMatch(capability -> capability == Capability.SESSION_READ);
        boolean archived = project(bot).filter(Project::archived).isPresent();
        return archived && !reads ? Decision.ARCHIVED : Decision.ALLOWED;
    }

    private boolean isAdmitted(BotConfig bot, Sender sender) {
        return bot.allowedUsers().contains(sender.id()) || (bot.pairing() && people.isAllowed(bot.name(), sender.id()));
    }

    private Optional<Project> project(BotConfig bot) {
        return directory.project(bot.project()).filter(project -> project.host().equals(host));
    }

    @Override
    public Optional<String> problem(BotConfig bot) {
        @Nullable
        String problem = project(bot).isPresent()
                ? null
                : "its project '" + bot.project() + "' does not exist; messages stay pending";
        if (problem == null) {
            lost.remove(bot.name());
        } else if (lost.add(bot.name())) {
            LOG.atError()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", problem)
                    .log("bot stopped: its project does not exist");
        }
        return Optional.ofNullable(problem);
    }
}
