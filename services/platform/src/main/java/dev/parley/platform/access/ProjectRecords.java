package dev.parley.platform.access;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.ProjectRole;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads and creates the records of projects, for exports and imports. The bean exists in processes with the role
 * control; others only have {@link AccessDirectory}.
 */
public interface ProjectRecords {
    /** The details of a project that {@link AccessDirectory} does not have, as a JSON object, without local paths. */
    String details(Project project);

    /**
     * Creates a project with this key, owned by the user.
     *
     * @param details from {@link #details} of this or another installation
     * @throws IllegalArgumentException if the details are invalid, or the key belongs to another user
     */
    Project make(UUID host, UUID user, String projectKey, String name, String details);

    /** Adds a member to a project, unless they are one. */
    void admit(Project project, UUID user, ProjectRole role, List<Rule> rules, UUID inviter);

    /** Records an action on a whole project in the audit log. */
    void audit(Project project, UUID user, String action, @Nullable String message);
}
