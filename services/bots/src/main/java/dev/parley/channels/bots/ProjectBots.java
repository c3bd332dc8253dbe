package dev.parley.channels.bots;

import dev.parley.channels.bots.ProjectBotController.BotView;
import dev.parley.channels.bots.people.AllowedPeople;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.RightsChange.Change.OfGuests;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.Sealed;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates, changes and removes the bots of projects. Tokens are sealed before they are stored, and never returned. */
@Singleton
@Requires(beans = ParleyConfig.class)
final class ProjectBots {
    private static final int MAX_BOTS = 100;
    private static final int LAST = 4;
    private static final String NAME = "ux_project_bot_name";
    private static final String ACCOUNT = "ux_project_bot_account";

    private final Database database;
    private final ProjectBotRows rows;
    private final BotRegistry bots;
    private final BotStates states;
    private final BotRights rights;
    private final AllowedPeople people;
    private final DefinitionCatalogue catalogue;
    private final Optional<Sealing> sealing;
    private final ReplyUrls urls;

    ProjectBots(
            Database database,
            ProjectBotRows rows,
            BotRegistry bots,
            BotStates states,
            BotRights rights,
            AllowedPeople people,
            DefinitionCatalogue catalogue,
            Optional<Sealing> sealing,
            ReplyUrls urls) {
        this.database = database;
        this.rows = rows;
        this.bots = bots;
        this.states = states;
        this.rights = rights;
        this.people = people;
        this.catalogue = catalogue;
        this.sealing = sealing;
        this.urls = urls;
    }

    /** The bots of the project, including configured ones, by name. */
    List<BotView> list(Project project) {
        var state = states.all();
        Stream<BotView> configured = bots.all().stream()
                .filter(bot -> bot.isOperators() && listingProject(bot).equals(project.projectKey()))
                .map(bot -> BotView.of(bot, null, problem(bot), state.get(bot.name())));
        Stream<BotView> created =
                database.in(tenant(project), () -> rows.of(project.host(), project.project())).stream()
                        .map(row -> view(row, state.get(row.bot())));
        return Stream.concat(configured, created)
                .sorted(Comparator.comparing(BotView::name))
                .toList();
    }

    /** The project in which a configured bot is listed: the default one where its own is missing. */
    private String listingProject(BotConfig bot) {
        return rights.problem(bot).isPresent() ? RecordKey.DEFAULT_PROJECT : bot.project();
    }

    private @Nullable String problem(BotConfig bot) {
        return rights.problem(bot).orElse(null);
    }

    /** The reason why the bot cannot work, apart from the problem that its owner reports. */
    private @Nullable String problem(ProjectBot row) {
        if (bots.isConfigured(row.bot())) {
            return "a configured bot of this name takes precedence";
        }
        try {
            bots.find(row.bot()).ifPresent(bot -> bots.get(bot.token()));
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
        return null;
    }

    /**
     * One bot of a project.
     *
     * @throws ApiException 404
     */
    BotView find(Project project, String name) {
        return list(project).stream()
                .filter(bot -> bot.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private static Tenant tenant(Project project) {
        return Tenant.of(project.host()).project(project.project());
    }

    private static ApiException unknown(String name) {
        return ApiException.notFound("unknown_bot", "There is no bot '" + name + "' in this project.");
    }

    /**
     * Creates a bot, or restores a removed one of the project.
     *
     * @throws ApiException 400, 409, 501
     */
    BotView create(Caller caller, Project project, BotRequest request) {
        Draft draft = draft(caller, project, request.read(null));
        String name = draft.bot().name();
        requireFree(name);
        ProjectBot created = transact(project, transaction -> {
            ProjectBot before =
                    rows.locked(project.host(), project.project(), name).orElse(null);
            if (before != null && before.active()) {
                throw nameTaken();
            }
            return before == null ? insert(transaction, project, name, draft) : renew(project, before, draft);
        });
        return view(created);
    }

    /**
     * A new version of a bot.
     *
     * @param secrets null where they stay unchanged
     */
    private record Draft(BotConfig bot, @Nullable BotSecrets secrets, String by) {
        String settings() {
            return ProjectBot.settings(bot);
        }

        BotSecrets newSecrets() {
            return Objects.requireNonNull(secrets);
        }

        @Nullable
        String account() {
            var account = BotKinds.of(bot.kind()).account();
            return account == null ? null : account.apply(newSecrets().token());
        }

        /** Tokens are longer than four characters. */
        String last4() {
            String token = newSecrets().token();
            return token.substring(token.length() - LAST);
        }
    }

    private ProjectBot insert(Transaction transaction, Project project, String name, Draft draft) {
        UUID id = UUID.randomUUID();
        Sealed sealed = seal(draft, project, id);
        checkQuota(transaction, project);
        return rows.insert(
                project.host(),
                id,
                name,
                project.project(),
                project.projectKey(),
                draft.bot().kind(),
                draft.settings(),
                draft.account(),
                sealed.bytes(),
                sealed.key(),
                draft.last4(),
                draft.by());
    }

    private void checkQuota(Transaction transaction, Project project) {
        transaction.lock("quota/bots/" + project.project());
        if (rows.count(project.host(), project.project()) >= MAX_BOTS) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many",
                    "A project has at most " + MAX_BOTS + " bots, including removed ones.");
        }
    }

    private ProjectBot renew(Project project, ProjectBot before, Draft draft) {
        Sealed sealed = seal(draft, project, before.botId());
        return rows.renew(
                before.hostId(),
                before.botId(),
                draft.bot().kind(),
                draft.settings(),
                draft.account(),
                sealed.bytes(),
                sealed.key(),
                draft.last4(),
                draft.by());
    }

    /**
     * Replaces all settings, and the secrets where they are given.
     *
     * @throws ApiException 400, 404, 409, 412, 428
     */
    BotView change(Caller caller, Project project, String name, BotRequest request, @Nullable String ifMatch) {
        requireNotConfigured(project, name);
        ProjectBot changed = transact(project, _ -> {
            ProjectBot before = requireForUpdate(project, name);
            IfMatch.require(ifMatch, before.version());
            return change(caller, project, before, request);
        });
        return view(changed);
    }

    private ProjectBot change(Caller caller, Project project, ProjectBot before, BotRequest request) {
        Draft draft = draft(caller, project, request.read(before));
        return draft.secrets() == null
                ? rows.change(before.hostId(), before.botId(), draft.settings(), draft.by())
                : renew(project, before, draft);
    }

    /** Removes a bot with its token and the admissions of users. Its name stays reserved for the project. */
    void remove(Caller caller, Project project, String name, @Nullable String ifMatch) {
        requireNotConfigured(project, name);
        transact(project, _ -> {
            ProjectBot before = requireForUpdate(project, name);
            IfMatch.check(ifMatch, before.version());
            rows.remove(before.hostId(), before.botId(), caller.user());
            return before;
        });
        people.forget(name);
    }

    private ProjectBot requireForUpdate(Project project, String name) {
        return rows.locked(project.host(), project.project(), name)
                .filter(ProjectBot::active)
                .orElseThrow(() -> unknown(name));
    }

    private BotView view(ProjectBot row) {
        return view(row, states.all().get(row.bot()));
    }

    private BotView view(ProjectBot row, @Nullable BotState state) {
        return switch (row.stored()) {
            case Valid<BotConfig>(BotConfig bot) -> BotView.of(bot, row, problem(row), state);
            case Refused<BotConfig> refused -> BotView.refused(row, refused, state);
        };
    }

    private <T> T transact(Project project, Function<Transaction, T> work) {
        try {
            T result = database.in(tenant(project), work);
            bots.refresh();
            return result;
        } catch (FailedException e) {
            String constraint = e.duplicate().orElse("");
            if (constraint.equals(ACCOUNT)) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "bot_account_taken",
                        "Another bot here uses this account: only one can receive its messages.");
            }
            throw constraint.equals(NAME) ? nameTaken() : e;
        }
    }

    private static ApiException nameTaken() {
        return new ApiException(
                HttpStatus.CONFLICT, "bot_name_taken", "A bot of this name exists or existed: choose another name.");
    }

    private void requireFree(String name) {
        if (bots.isConfigured(name)) {
            throw nameTaken();
        }
    }

    private void requireNotConfigured(Project project, String name) {
        boolean configured = bots.find(name)
                .filter(bot -> bot.isOperators() && listingProject(bot).equals(project.projectKey()))
                .isPresent();
        if (configured) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "bot_configured",
                    "This bot is defined in the configuration (parley.yml), where the operator can change it.");
        }
    }

    private Sealed seal(Draft draft, Project project, UUID id) {
        return sealing.orElseThrow(() -> new ApiException(
                        HttpStatus.NOT_IMPLEMENTED,
                        "no_master_key",
                        "Tokens cannot be sealed: the operator has to set PARLEY_MASTER_KEY."))
                .seal(draft.newSecrets().text(BotKinds.of(draft.bot().kind())), project.host(), id);
    }

    /** Whoever sets a bot up decides who speaks in the project, with which rights. */
    private Draft draft(Caller caller, Project project, BotRequest.Draft requested) {
        caller.requireChange(new OfGuests(BotRights.UNLINKED_CAPABILITIES), project);
        BotConfig bot = requested.bot();
        String agent = bot.agent();
        if (agent != null
                && catalogue.in(project.host(), project.project()).agent(agent).isEmpty()) {
            throw ApiException.badRequest("unknown_agent", "There is no agent '" + agent + "' in this project");
        }
        if (!bot.apiUrl().equals(BotKinds.of(bot.kind()).api())) {
            checkUrl(caller, project, bot.kind(), bot.apiUrl().toString());
        }
        return new Draft(bot, requested.secrets(), caller.user());
    }

    /** Only administrators set the base URL of a platform: it receives the token and is reached from this process. */
    private void checkUrl(Caller caller, Project project, String kind, String url) {
        BotKind botKind = BotKinds.of(kind);
        if (!botKind.isPlatform()) {
            urls.check(project.host(), project.project(), url);
            return;
        }
        ReplyUrls.parse(url);
        if (!caller.administers()) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "forbidden",
                    "Only an administrator can set the base URL of " + botKind.title() + "'s API.");
        }
    }
}
