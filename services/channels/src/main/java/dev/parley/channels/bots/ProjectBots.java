package dev.parley.channels.bots;

import dev.parley.channels.bots.ProjectBotController.BotView;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.Catalogue;
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
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates, changes and removes the bots of projects. Tokens are sealed before they are stored, and never returned. */
@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
final class ProjectBots {
    private static final int MAX_BOTS = 100;
    private static final int LAST = 4;
    private static final String NAME = "ux_project_bot_name";
    private static final String ACCOUNT = "ux_project_bot_account";

    private final Database database;
    private final ProjectBotRows rows;
    private final BotRegistry known;
    private final BotStates states;
    private final BotRights rights;
    private final AllowedPeople people;
    private final Catalogue catalogue;
    private final Optional<Sealing> sealing;
    private final ReplyUrls urls;

    ProjectBots(
            Database database,
            ProjectBotRows rows,
            BotRegistry known,
            BotStates states,
            BotRights rights,
            AllowedPeople people,
            Catalogue catalogue,
            Optional<Sealing> sealing,
            ReplyUrls urls) {
        this.database = database;
        this.rows = rows;
        this.known = known;
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
        Stream<BotView> configured = known.all().stream()
                .filter(bot -> bot.isOperators() && place(bot).equals(project.projectKey()))
                .map(bot -> BotView.of(bot, problem(bot), state.get(bot.name())));
        Stream<BotView> made = database.in(tenant(project), () -> rows.of(project.host(), project.project())).stream()
                .map(row -> BotView.of(row, problem(row), state.get(row.bot())));
        return Stream.concat(configured, made)
                .sorted(Comparator.comparing(BotView::name))
                .toList();
    }

    /** The project in which a configured bot is listed: the default one where its own is missing. */
    private String place(BotConfig bot) {
        return rights.problem(bot).isPresent() ? RecordKey.DEFAULT_PROJECT : bot.project();
    }

    private @Nullable String problem(BotConfig bot) {
        return rights.problem(bot).orElse(null);
    }

    /** What keeps the bot from working, besides the problem that its owner reports. */
    private @Nullable String problem(ProjectBot row) {
        if (known.isConfigured(row.bot())) {
            return "a configured bot of this name takes precedence";
        }
        try {
            known.find(row.bot()).ifPresent(bot -> known.get(bot.token()));
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
                .filter(one -> one.name().equals(name))
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
    BotView make(Caller caller, Project project, BotRequest request) {
        String name = request.checkedName();
        String kind = request.checkedKind();
        BotSecrets secrets = request.checkedSecrets(kind);
        if (secrets == null) {
            throw ApiException.badRequest("invalid_token", "The field 'token' is missing");
        }
        requireFree(name);
        BotSettings settings =
                checked(caller, project, kind, request).with(secrets.more().keySet());
        ProjectBot made = changing(project, () -> {
            ProjectBot before =
                    rows.locked(project.host(), project.project(), name).orElse(null);
            if (before != null && before.active()) {
                throw taken();
            }
            UUID id = before == null ? UUID.randomUUID() : before.botId();
            Sealed sealed = seal(kind, secrets, project, id);
            if (before != null) {
                return renewed(before, kind, settings, secrets.token(), sealed, caller);
            }
            return inserted(project, id, name, kind, settings, secrets.token(), sealed, caller);
        });
        return view(made);
    }

    private ProjectBot inserted(
            Project project,
            UUID id,
            String name,
            String kind,
            BotSettings settings,
            String token,
            Sealed sealed,
            Caller caller) {
        if (rows.count(project.host(), project.project()) >= MAX_BOTS) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many",
                    "A project has at most " + MAX_BOTS + " bots, including removed ones.");
        }
        return rows.insert(
                project.host(),
                id,
                name,
                project.project(),
                project.projectKey(),
                kind,
                settings.json(),
                account(kind, token),
                sealed.bytes(),
                sealed.key(),
                last4(token),
                caller.user());
    }

    private ProjectBot renewed(
            ProjectBot before, String kind, BotSettings settings, String token, Sealed sealed, Caller caller) {
        return rows.renew(
                before.hostId(),
                before.botId(),
                kind,
                settings.json(),
                account(kind, token),
                sealed.bytes(),
                sealed.key(),
                last4(token),
                caller.user());
    }

    /**
     * Replaces all settings, and the secrets where they are given.
     *
     * @throws ApiException 400, 404, 409, 412, 428
     */
    BotView change(Caller caller, Project project, String name, BotRequest request, @Nullable String ifMatch) {
        requireNotConfigured(project, name);
        if (request.name() != null && !request.name().equals(name)) {
            throw ApiException.badRequest(
                    "invalid_name", "The name of a bot cannot be changed: session keys begin with it");
        }
        ProjectBot changed = changing(project, () -> {
            ProjectBot before = there(project, name);
            IfMatch.require(ifMatch, before.version());
            if (request.kind() != null && !request.kind().equals(before.kind())) {
                throw ApiException.badRequest("invalid_kind", "The kind of a bot cannot be changed");
            }
            String kind = before.kind();
            BotSecrets secrets = request.checkedSecrets(kind);
            BotSettings settings = checked(caller, project, kind, request);
            if (secrets == null) {
                var kept = settings.with(BotSettings.read(before.settings()).secretNames());
                return rows.change(before.hostId(), before.botId(), kept.json(), caller.user());
            }
            return renewed(
                    before,
                    kind,
                    settings.with(secrets.more().keySet()),
                    secrets.token(),
                    seal(kind, secrets, project, before.botId()),
                    caller);
        });
        return view(changed);
    }

    /** Removes a bot with its token and the admissions of users. Its name stays reserved for the project. */
    void remove(Caller caller, Project project, String name, @Nullable String ifMatch) {
        requireNotConfigured(project, name);
        changing(project, () -> {
            ProjectBot before = there(project, name);
            IfMatch.check(ifMatch, before.version());
            rows.remove(before.hostId(), before.botId(), caller.user());
            return before;
        });
        people.forget(name);
    }

    private ProjectBot there(Project project, String name) {
        return rows.locked(project.host(), project.project(), name)
                .filter(ProjectBot::active)
                .orElseThrow(() -> unknown(name));
    }

    private BotView view(ProjectBot row) {
        return BotView.of(row, problem(row), states.all().get(row.bot()));
    }

    private <T> T changing(Project project, Supplier<T> work) {
        try {
            T done = database.in(tenant(project), work);
            known.refresh();
            return done;
        } catch (FailedException e) {
            String what = e.duplicate().orElse("");
            if (what.equals(ACCOUNT)) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "bot_account_taken",
                        "Another bot here uses this account: only one can receive its messages.");
            }
            throw what.equals(NAME) ? taken() : e;
        }
    }

    private static ApiException taken() {
        return new ApiException(
                HttpStatus.CONFLICT, "bot_name_taken", "A bot of this name exists or existed: choose another name.");
    }

    private void requireFree(String name) {
        if (known.isConfigured(name)) {
            throw taken();
        }
    }

    private void requireNotConfigured(Project project, String name) {
        boolean configured = known.find(name)
                .filter(bot -> bot.isOperators() && place(bot).equals(project.projectKey()))
                .isPresent();
        if (configured) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "bot_configured",
                    "This bot is defined in the configuration (parley.yml), where the operator can change it.");
        }
    }

    private Sealed seal(String kind, BotSecrets secrets, Project project, UUID id) {
        return sealing.orElseThrow(() -> new ApiException(
                        HttpStatus.NOT_IMPLEMENTED,
                        "no_master_key",
                        "Tokens cannot be sealed: the operator has to set PARLEY_MASTER_KEY."))
                .seal(secrets.text(BotKinds.of(kind)), project.host(), id);
    }

    private BotSettings checked(Caller caller, Project project, String kind, BotRequest request) {
        BotSettings settings = request.settings(kind);
        String agent = settings.agent();
        if (agent != null
                && catalogue.in(project.host(), project.project()).agent(agent).isEmpty()) {
            throw ApiException.badRequest("unknown_agent", "There is no agent '" + agent + "' in this project");
        }
        if (settings.url() != null) {
            checkUrl(caller, kind, settings.url());
        }
        return settings;
    }

    /** Only administrators set the base URL of a platform: it receives the token and is reached from this process. */
    private void checkUrl(Caller caller, String kind, String url) {
        BotKind its = BotKinds.of(kind);
        if (!its.isPlatform()) {
            urls.check(url);
            return;
        }
        ReplyUrls.parsed(url);
        if (!caller.person().admin()) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "forbidden",
                    "Only an administrator can set the base URL of " + its.title() + "'s API.");
        }
    }

    private static @Nullable String account(String kind, String token) {
        var account = BotKinds.of(kind).account();
        return account == null ? null : account.apply(token);
    }

    /** Tokens are longer than four characters. */
    private static String last4(String token) {
        return token.substring(token.length() - LAST);
    }
}
