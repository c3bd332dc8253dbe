package dev.parley.platform.http;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Access;
import dev.parley.domain.access.Access.Decision;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Tenant;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who makes a request, and what they may do as things are at this moment; controllers take it as a parameter. */
public final class Caller {
    /** The tenant of an installation that has made none. */
    public static final UUID DEFAULT_HOST = AccessDirectory.DEFAULT_HOST;

    private final Account person;
    private final AccessKey key;
    private final AccessDirectory directory;

    /** @param key what they showed */
    public Caller(Account person, AccessKey key, AccessDirectory directory) {
        this.person = person;
        this.key = key;
        this.directory = directory;
    }

    /** Who shows the installation's own key. */
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
     * Somebody who shows no key, with all that they may do at this moment: for what is done in their name elsewhere than over
     * HTTP. Empty where they may do nothing any more.
     */
    public static Optional<Caller> inNameOf(UUID host, UUID user, AccessDirectory directory) {
        if (host.equals(DEFAULT_HOST) && user.equals(AccessDirectory.ADMIN)) {
            return Optional.of(installation(directory));
        }
        var all =
                new AccessKey(KeyKind.SIGN_IN, host, user, user, 1, "nobody's", "", null, List.of(AccessKey.ALL), null);
        return of(all, directory, Instant.now());
    }

    /**
     * The same, by the id that records carry.
     *
     * @param user null where nobody is known, or somebody of a channel without an account: empty then
     */
    public static Optional<Caller> inNameOf(UUID host, @Nullable String user, AccessDirectory directory) {
        try {
            return Optional.ofNullable(user).map(UUID::fromString).flatMap(id -> inNameOf(host, id, directory));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Who makes this request; empty where it came in without a key. */
    public static Optional<Caller> of(HttpRequest<?> request) {
        return request.getUserPrincipal(CallerAuthentication.class).map(CallerAuthentication::caller);
    }

    /** The person's id, as records carry it. */
    public String user() {
        return person.user().toString();
    }

    /** The tenant's id. */
    public UUID host() {
        return person.host();
    }

    /** All projects of the caller's host. */
    public Tenant tenant() {
        return Tenant.of(host()).user(user());
    }

    /**
     * One project of the caller's host.
     *
     * @param project null, as in the path {@code /v1/sessions/…}, for the default one
     * @throws ApiException 404 when the project is none of the caller's
     */
    public Tenant tenant(@Nullable String project) {
        return tenant().project(visible(project).project());
    }

    /** What the person is in a project, as assignments of tasks name roles; who leads the project may do all with every task. */
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

    /** The person. */
    public Account person() {
        return person;
    }

    /** The same as things are now; empty where the key has ended or the person may do nothing any more. */
    public Optional<Caller> refreshed() {
        if (key.isInstallations()) {
            return Optional.of(this);
        }
        return shown().flatMap(now -> of(now, directory, Instant.now()));
    }

    /**
     * Whether the person is still there and nobody has revoked what they showed, though its time may be over: for what goes on
     * for long after it was allowed.
     */
    public boolean lasts() {
        return key.isInstallations()
                || (directory
                                .account(person.host(), person.user())
                                .filter(Account::active)
                                .isPresent()
                        && shown().isPresent());
    }

    /** What was shown as it is now: empty where it was revoked. */
    private Optional<AccessKey> shown() {
        return key.isIssued()
                ? Optional.of(key)
                : directory.key(key.prefix()).filter(now -> now.id().equals(key.id()));
    }

    /** Who is behind a key that was shown; empty where it has ended or the person may do nothing any more. */
    public static Optional<Caller> of(AccessKey key, AccessDirectory directory, Instant now) {
        return Optional.of(key)
                .filter(one -> one.lasts(now))
                .flatMap(one -> directory.account(one.host(), one.user()))
                .filter(Account::active)
                .map(person -> new Caller(person, key, directory));
    }

    /** What was shown to be known. */
    public AccessKey key() {
        return key;
    }

    /** @throws ApiException 403 where a key was shown: what lets people in is changed by whoever has signed in */
    public void requireSignIn() {
        if (key.kind() != KeyKind.SIGN_IN) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "sign_in_required",
                    "A key may not change how somebody signs in: sign in first.");
        }
    }

    /** Whether it is an administrator, whose key opens everything. */
    boolean isUnlimitedAdmin() {
        return person.admin() && key.project() == null && key.permissions().contains(AccessKey.ALL);
    }

    /** Whether the host allows this. */
    public boolean may(Capability capability) {
        return Access.inHost(capability, person, key) == Decision.ALLOWED;
    }

    /** Whether a project allows this, or what it says instead. */
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

    /** @throws ApiException 403 when the host does not allow this */
    public void require(Capability capability) {
        if (!may(capability)) {
            throw forbidden(capability);
        }
    }

    /** The same in the project, or on the host where the capability is one of hosts. @param projectKey null for the default one */
    public void requireThere(Capability capability, @Nullable String projectKey) {
        if (capability.inProject()) {
            require(capability, projectKey);
        } else {
            require(capability);
        }
    }

    /** @throws ApiException 403 for people of other hosts than the installation's own */
    public void requireOperator() {
        if (!host().equals(DEFAULT_HOST)) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "forbidden", "This is for administrators of the installation's own host.");
        }
    }

    /**
     * The project in which the caller wants to do this.
     *
     * @param projectKey null for the default one
     * @throws ApiException 404 when the project is none of the caller's, 403 when they may not, 409 when it is archived
     */
    public Project require(Capability capability, @Nullable String projectKey) {
        String wanted = orDefault(projectKey);
        @Nullable Project project = directory.project(wanted).orElse(null);
        Decision decision = decide(capability, project);
        if (project == null || decision == Decision.HIDDEN) {
            throw unknown(wanted);
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

    /** A project that is no secret to the caller; what they may do there is for {@link #require} to say. */
    private Project visible(@Nullable String projectKey) {
        String wanted = orDefault(projectKey);
        return directory
                .project(wanted)
                .filter(project -> decide(Capability.PROJECT_READ, project) != Decision.HIDDEN)
                .orElseThrow(() -> unknown(wanted));
    }

    private String orDefault(@Nullable String projectKey) {
        return projectKey == null ? AccessDirectory.defaultProject(host()) : projectKey;
    }

    private static ApiException unknown(String projectKey) {
        return ApiException.notFound("unknown_project", "There is no project '" + projectKey + "'");
    }

    private ApiException forbidden(Capability capability) {
        String what =
                key.permissions().contains(AccessKey.ALL) ? "You may not do this here" : "The key does not open this";
        return new ApiException(HttpStatus.FORBIDDEN, "forbidden", what + ": it needs " + capability.code() + ".");
    }

    /** Whether the caller may read sessions of this project: their own, at the least. */
    public boolean reads(String projectKey) {
        return may(Capability.SESSION_READ, projectKey);
    }

    /** Whether this project allows it. */
    public boolean may(Capability capability, String projectKey) {
        return decide(capability, directory.project(projectKey).orElse(null)) == Decision.ALLOWED;
    }

    /** Whether others' sessions of this project are open to the caller, too. */
    public boolean readsAll(@Nullable String projectKey) {
        return directory
                        .project(orDefault(projectKey))
                        .filter(AccessRecord.Project::sharedSessions)
                        .filter(project -> decide(Capability.SESSION_READ, project) == Decision.ALLOWED)
                        .isPresent()
                || leads(projectKey);
    }

    /** Whether the caller leads this project: sees what is deleted, and what only those who lead see. */
    public boolean leads(@Nullable String projectKey) {
        return directory
                .project(orDefault(projectKey))
                .filter(project -> decide(Capability.SESSION_READ_ALL, project) == Decision.ALLOWED)
                .isPresent();
    }

    /**
     * The key of a session. What may be done with it is for {@link #require} to say, and whose it is for whoever reads it.
     *
     * @param given the project; null, as in the path {@code /v1/sessions/…}, for the default one
     * @throws ApiException 404 when the project is none of the caller's, 400 when the key cannot be one
     */
    public RecordKey session(@Nullable String given, String session) {
        String project = visible(given).projectKey();
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
