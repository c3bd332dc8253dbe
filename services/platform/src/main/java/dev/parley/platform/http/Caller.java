package dev.parley.platform.http;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Access;
import dev.parley.domain.access.Access.Decision;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange;
import dev.parley.domain.access.SessionStanding;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Tenant;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.security.authentication.Authentication;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The authenticated user of a request, with their current permissions; a parameter of controllers. */
public final class Caller implements Authentication {
    /** The default tenant of an installation. */
    public static final UUID DEFAULT_HOST = AccessDirectory.DEFAULT_HOST;

    private final Account person;
    private final AccessKey key;
    private final AccessDirectory directory;

    /** @param key by which they are authenticated */
    public Caller(Account person, AccessKey key, AccessDirectory directory) {
        this.person = person;
        this.key = key;
        this.directory = directory;
    }

    /** The caller with the administrator's key of the installation. */
    public static Caller installation(AccessDirectory directory) {
        var person = new Account(DEFAULT_HOST, AccessDirectory.ADMIN, 0, "admin", true, true, null, null, null);
        return new Caller(
                person,
                new AccessKey(
                        KeyKind.API_KEY,
                        DEFAULT_HOST,
                        AccessDirectory.ADMIN,
                        AccessDirectory.ADMIN,
                        0,
                        "admin",
                        "",
                        null,
                        List.of(AccessKey.ALL),
                        null),
                directory);
    }

    /**
     * A user without a key, with all their current permissions, for work on their behalf outside of HTTP requests.
     * Empty if they are no longer active.
     */
    public static Optional<Caller> inNameOf(UUID host, UUID user, AccessDirectory directory) {
        if (host.equals(DEFAULT_HOST) && user.equals(AccessDirectory.ADMIN)) {
            return Optional.of(installation(directory));
        }
        var key =
                new AccessKey(KeyKind.SIGN_IN, host, user, user, 1, "nobody's", "", null, List.of(AccessKey.ALL), null);
        return of(key, directory, Instant.now());
    }

    /**
     * Like {@link #inNameOf(UUID, UUID, AccessDirectory)}, by the user id in records.
     *
     * @param user null or not a UUID for people without an account: the result is empty
     */
    public static Optional<Caller> inNameOf(UUID host, @Nullable String user, AccessDirectory directory) {
        try {
            return Optional.ofNullable(user).map(Ids::parse).flatMap(id -> inNameOf(host, id, directory));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The caller of a request; empty without authentication. */
    public static Optional<Caller> of(HttpRequest<?> request) {
        return request.getUserPrincipal(Caller.class);
    }

    @Override
    public String getName() {
        return user();
    }

    @Override
    public Map<String, Object> getAttributes() {
        return Map.of();
    }

    /** The id of the user in records. */
    public String user() {
        return person.user().toString();
    }

    /** The id of the host. */
    public UUID host() {
        return person.host();
    }

    /** The tenant with all projects of the caller's host. */
    public Tenant tenant() {
        return Tenant.of(host()).user(user());
    }

    /**
     * The tenant of a project.
     *
     * @param project null for the default project, as in the path {@code /v1/sessions/…}
     * @throws ApiException 404 if the project is hidden from the caller
     */
    public Tenant tenant(@Nullable String project) {
        return tenant().project(visible(project).project());
    }

    /**
     * The roles of the user in a project, to which tasks are assigned; leaders of the project may do everything with
     * tasks.
     */
    public List<String> taskRoles(String projectKey) {
        var roles = new ArrayList<String>();
        directory
                .member(RecordKey.projectId(projectKey), person.user())
                .ifPresent(member -> roles.addAll(member.taskRoles()));
        if (person.admin()) {
            roles.add(HumanTask.ADMINISTRATOR);
        }
        if (may(Capability.WORKFLOW_MANAGE, projectKey)) {
            roles.add(HumanTask.LEADER);
        }
        return roles;
    }

    /** The account of the user. */
    public Account person() {
        return person;
    }

    /** This caller with current permissions; empty if the key is invalid now or the user is no longer active. */
    public Optional<Caller> refresh() {
        if (key.isInstallations()) {
            return Optional.of(this);
        }
        return currentKey().flatMap(now -> of(now, directory, Instant.now()));
    }

    /**
     * Whether the user is active and the key is not revoked, though it may have expired: for long operations after they
     * were permitted.
     */
    public boolean lasts() {
        return key.isInstallations()
                || (directory
                                .account(person.host(), person.user())
                                .filter(Account::active)
                                .isPresent()
                        && currentKey().isPresent());
    }

    /** The current record of the key; empty if it was revoked. */
    private Optional<AccessKey> currentKey() {
        return key.isIssued()
                ? Optional.of(key)
                : directory.key(key.prefix()).filter(now -> now.id().equals(key.id()));
    }

    /** The owner of a key; empty if it has expired or the user is no longer active. */
    public static Optional<Caller> of(AccessKey key, AccessDirectory directory, Instant now) {
        return Optional.of(key)
                .filter(valid -> valid.lasts(now))
                .flatMap(valid -> directory.account(valid.host(), valid.user()))
                .filter(Account::active)
                .map(person -> new Caller(person, key, directory));
    }

    /** The key by which they are authenticated. */
    public AccessKey key() {
        return key;
    }

    /** @throws ApiException 403 for callers with a key: only a sign-in may change how the user signs in */
    public void requireSignIn() {
        if (key.kind() != KeyKind.SIGN_IN) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "sign_in_required", "A key may not change sign-ins: sign in first.");
        }
    }

    /** Whether the caller is an administrator with an unrestricted key. */
    public boolean administers() {
        return person.admin() && key.isUnlimited();
    }

    /**
     * Requires that the caller may change these rights in the host.
     *
     * @throws ApiException 403 as {@link RightsChange} says
     */
    public void requireChange(RightsChange.Change change) {
        require(new RightsChange.Actor(person, key, null, null), change);
    }

    /**
     * Requires that the caller may change these rights in a project.
     *
     * @throws ApiException 403 as {@link RightsChange} says
     */
    public void requireChange(RightsChange.Change change, Project project) {
        Member member = directory.member(project.project(), person.user()).orElse(null);
        require(new RightsChange.Actor(person, key, project, member), change);
    }

    private static void require(RightsChange.Actor actor, RightsChange.Change change) {
        RightsChange.decide(actor, change).ifPresent(refusal -> {
            throw new ApiException(HttpStatus.FORBIDDEN, "forbidden", refusal.reason());
        });
    }

    /** Whether the caller has a capability in the host. */
    public boolean may(Capability capability) {
        return Access.inHost(capability, person, key) == Decision.ALLOWED;
    }

    /** Decides whether the caller has a capability in a project. */
    public Decision decide(Capability capability, @Nullable Project project) {
        return Access.inProject(
                capability,
                person,
                key,
                project,
                project == null
                        ? null
                        : directory.member(project.project(), person.user()).orElse(null));
    }

    /** @throws ApiException 403 if the caller does not have the capability in the host */
    public void require(Capability capability) {
        if (!may(capability)) {
            throw forbidden(capability);
        }
    }

    /**
     * Requires a capability in the project, or in the host for capabilities of hosts.
     *
     * @param projectKey null for the default project
     */
    public void requireThere(Capability capability, @Nullable String projectKey) {
        if (capability.inProject()) {
            require(capability, projectKey);
        } else {
            require(capability);
        }
    }

    /** @throws ApiException 403 for users of other hosts than that of the installation */
    public void requireOperator() {
        if (!host().equals(DEFAULT_HOST)) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "forbidden", "This is for administrators of the installation's own host.");
        }
    }

    /**
     * Requires a capability in a project.
     *
     * @param projectKey null for the default project
     * @throws ApiException 404 if the project is hidden from the caller, 403 without the capability, 409 if it is
     *     archived
     */
    public Project require(Capability capability, @Nullable String projectKey) {
        String key = orDefault(projectKey);
        @Nullable Project project = directory.project(key).orElse(null);
        Decision decision = decide(capability, project);
        if (project == null || decision == Decision.HIDDEN) {
            throw unknown(key);
        }
        if (decision == Decision.ARCHIVED) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "project_archived",
                    "The project is archived: restore it, or use another one.");
        }
        if (decision == Decision.FORBIDDEN) {
            throw forbidden(capability);
        }
        return project;
    }

    /** A project that is not hidden from the caller; {@link #require} checks capabilities. */
    private Project visible(@Nullable String projectKey) {
        String key = orDefault(projectKey);
        return directory
                .project(key)
                .filter(project -> decide(Capability.PROJECT_READ, project) != Decision.HIDDEN)
                .orElseThrow(() -> unknown(key));
    }

    private String orDefault(@Nullable String projectKey) {
        return projectKey == null ? AccessDirectory.defaultProject(host()) : projectKey;
    }

    private static ApiException unknown(String projectKey) {
        return ApiException.notFound("unknown_project", "There is no project '" + projectKey + "'");
    }

    private ApiException forbidden(Capability capability) {
        String problem =
                key.permissions().contains(AccessKey.ALL) ? "You may not do this here" : "The key does not open this";
        return new ApiException(HttpStatus.FORBIDDEN, "forbidden", problem + ": it needs " + capability.code() + ".");
    }

    /** Whether the caller may read sessions of a project, at least their own. */
    public boolean reads(String projectKey) {
        return may(Capability.SESSION_READ, projectKey);
    }

    /** Whether the caller has a capability in a project. */
    public boolean may(Capability capability, String projectKey) {
        return decide(capability, directory.project(projectKey).orElse(null)) == Decision.ALLOWED;
    }

    /** Whether the caller may read the sessions of others in a project. */
    public boolean readsAll(@Nullable String projectKey) {
        return directory
                        .project(orDefault(projectKey))
                        .filter(AccessRecord.Project::sharedSessions)
                        .filter(project -> decide(Capability.SESSION_READ, project) == Decision.ALLOWED)
                        .isPresent()
                || leads(projectKey);
    }

    /** Whether the caller leads a project, and so may read deleted and restricted data. */
    public boolean leads(@Nullable String projectKey) {
        return directory
                .project(orDefault(projectKey))
                .filter(project -> decide(Capability.SESSION_READ_ALL, project) == Decision.ALLOWED)
                .isPresent();
    }

    /** How the caller stands to a session of a project that belongs to this user. */
    public SessionStanding standing(@Nullable String projectKey, @Nullable String owner) {
        return SessionStanding.of(user().equals(owner), readsAll(projectKey), leads(projectKey));
    }

    /** The metadata of a command, limited to what the caller may do in the sessions of others. */
    public CommandMeta limited(CommandMeta meta, String projectKey) {
        return switch (standing(projectKey, null)) {
            case LEADER -> meta.leading();
            case GUEST -> meta.toGuest();
            case OWNER, OUTSIDER -> meta.toOwn();
        };
    }

    /**
     * The id of a project.
     *
     * @param projectKey null for the default project
     * @throws ApiException 404 if the project is hidden from the caller
     */
    public UUID projectId(@Nullable String projectKey) {
        return RecordKey.projectId(visible(projectKey).projectKey());
    }

    /**
     * The record key of a session. {@link #require} checks capabilities; its readers check the owner.
     *
     * @param projectKey null for the default project, as in the path {@code /v1/sessions/…}
     * @throws ApiException 404 if the project is hidden from the caller, 400 if the key is invalid
     */
    public RecordKey session(@Nullable String projectKey, String session) {
        String project = visible(projectKey).projectKey();
        if (session.indexOf('\uFFFD') >= 0) {
            throw ApiException.badRequest("invalid_key", "The session key is not valid UTF-8");
        }
        try {
            return new RecordKey(project, session);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_key", String.valueOf(e.getMessage()));
        }
    }
}
