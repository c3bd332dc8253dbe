package dev.parley.platform.access;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.ProjectRole;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The records of projects, for who takes a project out or brings one in. There is one in processes with the role that owns
 * them; elsewhere only what {@link AccessDirectory} tells is known, and no project can be made.
 */
public interface ProjectRecords {
    /** What a project says about itself beyond what everybody knows, as a JSON object; without paths on machines. */
    String details(Project project);

    /**
     * Makes a project with this key, whose owner the user is.
     *
     * @param details as {@link #details} told them, of this or another installation
     * @throws IllegalArgumentException when the details are none, or the key belongs to somebody else
     */
    Project make(UUID host, UUID user, String projectKey, String name, String details);

    /** Takes somebody into a project, if they are not in it. */
    void admit(Project project, UUID user, ProjectRole role, List<Rule> rules, UUID by);

    /** Writes down what was done with a project as a whole. */
    void audit(Project project, UUID user, String action, @Nullable String message);
}
