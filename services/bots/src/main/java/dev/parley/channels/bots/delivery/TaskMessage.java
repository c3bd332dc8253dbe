package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.HumanTasks.TaskQuestion;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

/**
 * Row of {@code channels.task_message_t}: a message that asks a user about a human task.
 *
 * @param userId the account of the user
 */
@MappedEntity(value = "task_message_t", schema = "channels")
public record TaskMessage(
        @Id UUID replyId,
        UUID taskId,
        String bot,
        String chat,
        UUID userId,
        String projectKey,
        UUID processId,
        long taskOrder,
        String question) {
    /** A copy of the question for another message. */
    public TaskMessage as(UUID reply) {
        return new TaskMessage(reply, taskId, bot, chat, userId, projectKey, processId, taskOrder, question);
    }

    /** The question, for channels. */
    public TaskQuestion asQuestion() {
        return new TaskQuestion(replyId, taskId, projectKey, processId, taskOrder, question);
    }
}
