package dev.parley.domain.workflow;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task that waits for a person.
 *
 * @param taskOrder its number in the process
 * @param question JSON: prompt, mode, options and so on
 * @param assignees who may answer; empty for everybody who may work in the project
 * @param priority the higher, the sooner
 * @param lockGroup tasks of the process with the same one are claimed together; or null
 * @param claimedBy who alone may answer now, or null
 * @param claimedUntil when they have lost it again, or null
 * @param refusals how many answers were not as they have to be
 */
public record HumanTask(
        long taskOrder,
        String name,
        String question,
        List<Assignee> assignees,
        int priority,
        @Nullable String lockGroup,
        @Nullable String claimedBy,
        @Nullable Instant claimedUntil,
        @Nullable Instant deadline,
        int refusals) {
    /** The role of who may do everything with every task. */
    public static final String LEADER = "leader";

    /** The role of administrators of the host. */
    public static final String ADMINISTRATOR = "administrator";

    public HumanTask {
        assignees = List.copyOf(assignees);
    }

    /**
     * Somebody who may answer.
     *
     * @param id a person's id, or {@code role:} and the name of a role
     * @param category of the worklist in which it stands
     * @param reason why it is theirs
     */
    public record Assignee(String id, String category, String reason, Instant at) {
        private static final String ROLE = "role:";

        /** The id of everybody who has a role. */
        public static String role(String name) {
            return ROLE + name;
        }

        /** Whether this is a role, and not a person. */
        public boolean isRole() {
            return id.startsWith(ROLE);
        }

        /** Whether this is a person, or one who has such a role. */
        public boolean is(String user, List<String> roles) {
            return id.equals(user) || isRole() && roles.contains(id.substring(ROLE.length()));
        }
    }

    /** Whether somebody may answer, as things are now: it is theirs to answer, and nobody else has claimed it. */
    public boolean isFor(String user, List<String> roles) {
        return assignees.isEmpty() || assignees.stream().anyMatch(assignee -> assignee.is(user, roles));
    }

    /** The same, claimed by somebody until a time; with null by nobody. */
    public HumanTask claimed(@Nullable String user, @Nullable Instant until) {
        return new HumanTask(
                taskOrder, name, question, assignees, priority, lockGroup, user, until, deadline, refusals);
    }

    /** The same, for other people, and claimed by nobody. */
    public HumanTask assigned(List<Assignee> others) {
        return new HumanTask(taskOrder, name, question, others, priority, lockGroup, null, null, deadline, refusals);
    }

    /** The same, asked others until a time. */
    public HumanTask escalated(String asked, List<Assignee> others, @Nullable Instant until) {
        return new HumanTask(taskOrder, name, asked, others, priority, lockGroup, null, null, until, refusals);
    }

    /** The same after an answer that was not as it has to be. */
    public HumanTask refused() {
        return new HumanTask(
                taskOrder,
                name,
                question,
                assignees,
                priority,
                lockGroup,
                claimedBy,
                claimedUntil,
                deadline,
                refusals + 1);
    }
}
