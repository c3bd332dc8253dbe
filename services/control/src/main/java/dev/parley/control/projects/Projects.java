package dev.parley.control.projects;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.Published;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.Known;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The projects of a host. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Projects {
    private static final String SELECT = "SELECT " + ProjectJson.COLUMNS + " FROM control.project_t p ";

    /** Tables that hold what belongs to a project alone. */
    private static final List<String> HELD = List.of(
            "project_member_t",
            "api_key_t",
            "agent_definition_t",
            "permission_rule_t",
            "tool_t",
            "skill_t",
            "endpoint_t");

    /** How many projects somebody may own who does not lead the host. */
    private static final int MOST = 1_000;

    private static final String OWNED = "SELECT FROM control.project_t WHERE host_id = ? AND owner_id = ? AND active";

    private final Database database;
    private final Published published;

    Projects(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /** What a project is, as far as it is said; null leaves a field as it is, an empty text clears it. */
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

    /** A project that was made, or was there already under its external key. */
    record Made(ProjectJson project, boolean isNew) {}

    /**
     * Makes a project, whose owner the caller is; one with the same external key that the caller may see is found instead.
     *
     * @throws ApiException 409 where somebody else's has that external key
     */
    Made make(Caller caller, Content content) {
        UUID id = NewIds.next();
        UUID user = caller.person().user();
        try {
            ProjectJson made = database.in(caller.tenant(), transaction -> {
                if (!caller.may(Capability.SETTING_MANAGE)) {
                    Quota.check(transaction, MOST, "projects", OWNED, caller.host(), user);
                }
                transaction.update(
                        """
                        INSERT INTO control.project_t (host_id, project_id, project_key, name, description, type, path, git_remote,
                          external_key, icon_url, color, settings, owner_id, update_user)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?::jsonb, '{}'), ?, ?)
                        """,
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
                transaction.update("""
                        INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
                        VALUES (?, ?, ?, 'owner', ?)
                        """, caller.host(), id, user, caller.user());
                Audit.add(transaction, Entry.done(caller.host(), id, "project", "create", id, caller.user()));
                return one(transaction, id);
            });
            published.await(Project.key(made.key()), made.version());
            published.await(Member.key(id, user), 1L);
            return new Made(made, true);
        } catch (FailedException e) {
            if (e.duplicate().filter("idx_projects_external"::equals).isEmpty()) {
                throw e;
            }
            return new Made(byExternalKey(caller, String.valueOf(content.externalKey())), false);
        }
    }

    private ProjectJson byExternalKey(Caller caller, String externalKey) {
        return database.in(
                        caller.tenant(),
                        transaction -> transaction.query(
                                SELECT + """
                                WHERE p.host_id = ? AND p.external_key = ? AND p.active AND (? OR EXISTS (
                                  SELECT FROM control.project_member_t m WHERE m.host_id = p.host_id
                                  AND m.project_id = p.project_id AND m.user_id = ? AND m.active))
                                """,
                                row -> Columns.first(row, ProjectJson::of),
                                caller.host(),
                                externalKey,
                                caller.person().admin(),
                                caller.person().user()))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.CONFLICT, "external_key_taken", "Another project has this externalKey."));
    }

    private static ProjectJson one(Transaction transaction, UUID id) {
        return find(transaction, id)
                .orElseThrow(() -> ApiException.notFound("unknown_project", "There is no such project"));
    }

    private static Optional<ProjectJson> find(Transaction transaction, UUID id) {
        return transaction.query(
                SELECT + "WHERE p.project_id = ? AND p.active", row -> Columns.first(row, ProjectJson::of), id);
    }

    /** A project. */
    ProjectJson find(Caller caller, Project project) {
        return database.in(
                caller.tenant().project(project.project()), transaction -> one(transaction, project.project()));
    }

    /** A page of those that the caller is in, or as administrator all of the host; the newest first. */
    List<ProjectJson> list(
            Caller caller, boolean all, boolean archived, @Nullable String path, int most, @Nullable Cursor after) {
        var sql = new StringBuilder(SELECT).append("WHERE p.host_id = ? AND p.active");
        List<@Nullable Object> values = new ArrayList<>(List.of(caller.host()));
        if (!all || !caller.person().admin()) {
            sql.append("""
                     AND EXISTS (SELECT FROM control.project_member_t m WHERE m.host_id = p.host_id
                      AND m.project_id = p.project_id AND m.user_id = ? AND m.active)
                    """);
            values.add(caller.person().user());
        }
        if (!archived) {
            sql.append(" AND p.archived_ts IS NULL");
        }
        if (caller.key().project() != null) {
            sql.append(" AND p.project_id = ?");
            values.add(caller.key().project());
        }
        if (path != null) {
            sql.append(" AND p.path = ?");
            values.add(path);
        }
        if (after != null) {
            sql.append(" AND (p.created_ts, p.project_id) < (?, ?)");
            values.add(after.time());
            values.add(after.id());
        }
        sql.append(" ORDER BY p.created_ts DESC, p.project_id DESC LIMIT ?");
        values.add(most + 1);
        return database.in(
                caller.tenant(),
                transaction ->
                        transaction.query(sql.toString(), row -> Columns.all(row, ProjectJson::of), values.toArray()));
    }

    /** Changes a project; the caller may. @throws ApiException 412 or 428 as {@link IfMatch} says */
    ProjectJson change(Caller caller, Project project, Content content, @Nullable String ifMatch) {
        ProjectJson changed = database.in(caller.tenant().project(project.project()), transaction -> {
            IfMatch.require(ifMatch, locked(transaction, project).version());
            transaction.update(
                    """
                    UPDATE control.project_t SET name = coalesce(?, name),
                      description = CASE WHEN ?::text IS NULL THEN description ELSE nullif(?, '') END,
                      icon_url = CASE WHEN ?::text IS NULL THEN icon_url ELSE nullif(?, '') END,
                      color = CASE WHEN ?::text IS NULL THEN color ELSE nullif(?, '') END,
                      settings = coalesce(?::jsonb, settings),
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ? WHERE project_id = ?
                    """,
                    content.name(),
                    content.description(),
                    content.description(),
                    content.iconUrl(),
                    content.iconUrl(),
                    content.color(),
                    content.color(),
                    content.settings(),
                    caller.user(),
                    project.project());
            audit(transaction, caller, project, "update");
            return one(transaction, project.project());
        });
        published.await(project.key(), changed.version());
        return changed;
    }

    private static ProjectJson locked(Transaction transaction, Project project) {
        transaction.query(
                "SELECT FROM control.project_t WHERE project_id = ? FOR UPDATE", row -> true, project.project());
        return one(transaction, project.project());
    }

    private static void audit(Transaction transaction, Caller caller, Project project, String action) {
        Audit.add(
                transaction,
                Entry.done(caller.host(), project.project(), "project", action, project.project(), caller.user()));
    }

    /** Archives a project, or restores it. To do so twice changes nothing. */
    ProjectJson archive(Caller caller, Project project, boolean archived, @Nullable String ifMatch) {
        ProjectJson changed = database.in(caller.tenant().project(project.project()), transaction -> {
            ProjectJson before = locked(transaction, project);
            IfMatch.check(ifMatch, before.version());
            if (archived == (before.archivedAt() != null)) {
                return before;
            }
            transaction.update("""
                    UPDATE control.project_t SET archived_ts = CASE WHEN ? THEN now() END,
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ? WHERE project_id = ?
                    """, archived, caller.user(), project.project());
            audit(transaction, caller, project, archived ? "archive" : "restore");
            return one(transaction, project.project());
        });
        published.await(project.key(), changed.version());
        return changed;
    }

    /**
     * Erases a project: nothing says any more what it was, and all services remove what was in it. Only its key stays.
     *
     * @return the id of the erasure
     */
    UUID erase(Caller caller, Project project, @Nullable String ifMatch) {
        if (project.projectKey().equals(Known.defaultProject(caller.host()))) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "default_project",
                    "The default project stays: erase its sessions, or its people.");
        }
        UUID erasure = UUID.randomUUID();
        long before = database.in(caller.tenant().project(project.project()), transaction -> {
            long version = locked(transaction, project).version();
            IfMatch.check(ifMatch, version);
            for (String table : HELD) {
                transaction.update("DELETE FROM control." + table + " WHERE project_id = ?", project.project());
            }
            transaction.update("""
                    UPDATE control.project_t SET name = 'erased', description = NULL, type = 'remote', path = NULL,
                      git_remote = NULL, external_key = NULL, icon_url = NULL, color = NULL, settings = '{}', owner_id = NULL,
                      archived_ts = coalesce(archived_ts, now()), active = false, erasure_id = ?,
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                    WHERE project_id = ?
                    """, erasure, caller.user(), project.project());
            audit(transaction, caller, project, "erase");
            return version;
        });
        published.await(project.key(), before + 1);
        return erasure;
    }
}
