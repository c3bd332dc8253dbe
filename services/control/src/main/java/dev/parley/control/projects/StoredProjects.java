package dev.parley.control.projects;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Project records for exports and imports. */
@Singleton
final class StoredProjects implements ProjectRecords {
    private final Database database;
    private final Audit audit;
    private final ProjectRows rows;
    private final MemberRows members;
    private final PublicationBarrier published;
    private final AccessDirectory directory;

    StoredProjects(
            Database database,
            ProjectRows rows,
            MemberRows members,
            PublicationBarrier published,
            AccessDirectory directory,
            Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.members = members;
        this.published = published;
        this.directory = directory;
    }

    private static Tenant tenant(Project project) {
        return Tenant.of(project.host()).project(project.project());
    }

    @Override
    public String details(Project project) {
        return database.in(tenant(project), () -> rows.details(project.project()))
                .orElse("{}");
    }

    @Override
    public Project make(UUID host, UUID user, String projectKey, String name, String details) {
        if (!RecordKey.isNewProject(projectKey)) {
            throw new IllegalArgumentException("the key of a project is not in its only form");
        }
        UUID id = RecordKey.projectId(projectKey);
        try {
            database.in(Tenant.of(host), () -> {
                rows.insertImported(host, id, projectKey, name, user, user.toString(), details);
                rows.insertOwner(host, id, user, user.toString());
                audit.add(Entry.done(host, id, "project", "create", id, user.toString()));
            });
        } catch (FailedException e) {
            throw new IllegalArgumentException(
                    "the project '" + projectKey + "' cannot be created: its key is taken, or its details are invalid",
                    e);
        }
        published.await(Project.key(projectKey), 1L);
        published.await(Member.key(id, user), 1L);
        return directory
                .project(projectKey)
                .orElseThrow(() -> new IllegalStateException("the new project is not published yet: retry"));
    }

    @Override
    public void admit(Project project, UUID user, ProjectRole role, List<Rule> rules, UUID inviter) {
        String permissions = rules.stream()
                .map(rule -> "\"%s\": \"%s\"".formatted(rule.capability(), rule.allow() ? "allow" : "deny"))
                .collect(Collectors.joining(", ", "{", "}"));
        database.in(
                tenant(project),
                () -> members.admit(
                        project.host(),
                        project.project(),
                        user,
                        role.code(),
                        permissions,
                        inviter,
                        inviter.toString()));
    }

    @Override
    public void audit(Project project, UUID user, String action, @Nullable String message) {
        var entry = Entry.done(project.host(), project.project(), "project", action, project.project(), user.toString())
                .withMessage(message);
        database.in(tenant(project), () -> {
            audit.add(entry);
        });
    }
}
