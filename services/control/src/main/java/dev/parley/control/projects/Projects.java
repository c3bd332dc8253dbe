package dev.parley.control.projects;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.control.settings.HostSetting;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The projects of a host. */
@Singleton
final class Projects {
    /** Projects that a user other than an administrator may own. */
    private static final int MAX_OWNED = 1_000;

    private static final String ADMINISTRATORS = "\"administrators\"";

    private final Database database;
    private final Audit audit;
    private final ProjectRows rows;
    private final PublicationBarrier published;
    private final AccessDirectory directory;

    Projects(
            Database database, ProjectRows rows, PublicationBarrier published, AccessDirectory directory, Audit audit) {
        this.directory = directory;
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
    }

    /** Fields of a project; null leaves one unchanged, an empty text clears it. */
    record Content(
            @Nullable String name,
            @Nullable String description,
            @Nullable String type,
            @Nullable String path,
            @Nullable String gitRemote,
            @Nullable String externalKey,
            @Nullable String iconUrl,
            @Nullable String color,
            @Nullable String settings) {}

    /** A created project, or the existing one with its external key. */
    record Created(ProjectJson project, boolean isNew) {}

    /**
     * Creates a project owned by the caller, or finds the one with the same external key that the caller may see.
     *
     * @throws ApiException 403 where only administrators may create projects, 409 where a project that the caller may
     *     not see has that external key
     */
    Created create(Caller caller, Content content) {
        requireAllowed(caller);
        UUID id = NewIds.next();
        try {
            ProjectJson created = database.in(caller.tenant(), transaction -> insert(transaction, caller, id, content));
            published.await(Project.key(created.key()), created.version());
            published.await(Member.key(id, caller.person().user()), 1L);
            return new Created(created, true);
        } catch (FailedException e) {
            if (e.duplicate().filter("idx_projects_external"::equals).isEmpty()) {
                throw e;
            }
            return new Created(byExternalKey(caller, String.valueOf(content.externalKey())), false);
        }
    }

    /** Archives are imported by administrators alone, so that this is the only way of others to a new project. */
    private void requireAllowed(Caller caller) {
        boolean onlyAdministrators = directory
                .setting(caller.host(), HostSetting.PROJECT_CREATION.code())
                .filter(setting -> setting.value().equals(ADMINISTRATORS))
                .isPresent();
        if (onlyAdministrators && !caller.may(Capability.SETTING_MANAGE)) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "forbidden",
                    "Only administrators create projects here: ask one of them (setting projectCreation).");
        }
    }

    private ProjectJson insert(Transaction transaction, Caller caller, UUID id, Content content) {
        UUID user = caller.person().user();
        checkQuota(transaction, caller);
        rows.insert(
                caller.host(),
                id,
                id.toString(),
                content.name(),
                content.description(),
                content.type(),
                content.path(),
                content.gitRemote(),
                content.externalKey(),
                content.iconUrl(),
                content.color(),
                content.settings(),
                user,
                caller.user());
        rows.insertOwner(caller.host(), id, user, caller.user());
        audit.add(Entry.done(caller.host(), id, "project", "create", id, caller.user()));
        return require(id);
    }

    private void checkQuota(Transaction transaction, Caller caller) {
        if (!caller.may(Capability.SETTING_MANAGE)) {
            UUID user = caller.person().user();
            Quota.check(
                    transaction,
                    caller.host() + "/" + user,
                    () -> rows.countOwned(caller.host(), user),
                    MAX_OWNED,
                    "projects");
        }
    }

    private ProjectJson byExternalKey(Caller caller, String externalKey) {
        return database.in(
                        caller.tenant(),
                        () -> rows.byExternalKey(
                                caller.host(),
                                externalKey,
                                caller.person().admin(),
                                caller.person().user()))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.CONFLICT, "external_key_taken", "Another project has this externalKey."));
    }

    private ProjectJson require(UUID id) {
        return known(rows.find(id));
    }

    private static ProjectJson known(Optional<ProjectJson> project) {
        return project.orElseThrow(() -> ApiException.notFound("unknown_project", "There is no such project"));
    }

    ProjectJson find(Caller caller, Project project) {
        return database.in(caller.tenant().project(project.project()), () -> require(project.project()));
    }

    /** A page of the caller's projects or, for administrators, of all; newest first. */
    List<ProjectJson> list(
            Caller caller, boolean all, boolean archived, @Nullable String path, int max, @Nullable Cursor after) {
        UUID onlyProject = caller.key().project();
        Instant afterTime = Cursor.timeOf(after);
        UUID last = Cursor.idOf(after);
        boolean ofAllUsers = all && caller.person().admin();
        return database.listingIn(
                caller.tenant(),
                () -> ofAllUsers
                        ? rows.page(caller.host(), archived, onlyProject, path, afterTime, last, max + 1)
                        : rows.pageOf(
                                caller.person().user(),
                                caller.host(),
                                archived,
                                onlyProject,
                                path,
                                afterTime,
                                last,
                                max + 1));
    }

    /**
     * Changes a project.
     *
     * @throws ApiException 412 or 428 as {@link IfMatch} says
     */
    ProjectJson change(Caller caller, Project project, Content content, @Nullable String ifMatch) {
        ProjectJson changed = database.in(caller.tenant().project(project.project()), () -> {
            IfMatch.require(ifMatch, locked(project).version());
            rows.change(
                    project.project(),
                    content.name(),
                    content.description(),
                    content.iconUrl(),
                    content.color(),
                    content.settings(),
                    caller.user());
            audit(caller, project, "update");
            return require(project.project());
        });
        published.await(project.key(), changed.version());
        return changed;
    }

    private ProjectJson locked(Project project) {
        return known(rows.locked(project.project()));
    }

    private void audit(Caller caller, Project project, String action) {
        audit.add(Entry.done(caller.host(), project.project(), "project", action, project.project(), caller.user()));
    }

    /** Archives a project, or restores it; idempotent. */
    ProjectJson archive(Caller caller, Project project, boolean archived, @Nullable String ifMatch) {
        ProjectJson changed = database.in(caller.tenant().project(project.project()), () -> {
            ProjectJson before = locked(project);
            IfMatch.check(ifMatch, before.version());
            if (archived == (before.archivedAt() != null)) {
                return before;
            }
            rows.archive(project.project(), archived, caller.user());
            audit(caller, project, archived ? "archive" : "restore");
            return require(project.project());
        });
        published.await(project.key(), changed.version());
        return changed;
    }

    /**
     * Erases a project: its row keeps only the key, and all services delete its contents.
     *
     * @return the id of the erasure
     */
    UUID erase(Caller caller, Project project, @Nullable String ifMatch) {
        if (project.projectKey().equals(AccessDirectory.defaultProject(caller.host()))) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "default_project",
                    "The default project cannot be erased: erase its sessions, or its people.");
        }
        UUID erasure = UUID.randomUUID();
        long before = database.in(caller.tenant().project(project.project()), () -> {
            long version = locked(project).version();
            IfMatch.check(ifMatch, version);
            rows.deleteContents(project.project());
            rows.erase(project.project(), erasure, caller.user());
            audit(caller, project, "erase");
            return version;
        });
        published.await(project.key(), before + 1);
        return erasure;
    }
}
