package dev.parley.channels.bots;

import dev.parley.channels.bots.delivery.TaskMessage;
import dev.parley.channels.bots.delivery.TaskMessageRows;
import dev.parley.channels.bots.people.ChannelLink;
import dev.parley.channels.bots.people.ChannelLinks;
import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DurableCommands;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.plugin.ChannelKinds;
import dev.parley.channels.plugin.PluginChannel;
import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.Capability;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowCommand.TaskAction;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Human tasks of workflows in private chats: asks the assignees, forwards their answers, and closes the messages of
 * closed tasks. The users asked are linked with an account that is an assignee or has an assigned role.
 *
 * <p>Reply ids are derived from the events, so that a redelivered event is sent once.
 */
record ChatTasks(
        Database database,
        TaskMessageRows rows,
        UUID host,
        BotRegistry bots,
        ChannelKinds channels,
        ChannelLinks links,
        Rights rights,
        Chats chats,
        AccessDirectory directory,
        DurableCommands commands,
        ReplySender replies,
        Consumer<AuditEntry> audit)
        implements HumanTasks {
    private static final Logger LOG = LoggerFactory.getLogger(ChatTasks.class);
    private static final int MAX_CHATS = 50;
    private static final int MAX_OPEN = 10;
    /** Maximum time after sending in which the channel reports the reference of a message. */
    private static final Duration REFERENCE_TIMEOUT = Duration.ofSeconds(5);

    private static final long POLL_MILLIS = 20;

    private <T> T in(Supplier<T> work) {
        return database.in(Tenant.of(host), work);
    }

    /** Handles an event of a workflow. An exception means that it was not handled and may be retried. */
    void apply(WorkflowEvent event) {
        if (event instanceof HumanTaskChanged changed
                && changed.meta().process().host().equals(host)) {
            try {
                apply(changed);
            } catch (IllegalArgumentException e) { // a retry would also fail
                LOG.atError()
                        .addKeyValue("process", changed.meta().process().key())
                        .setCause(e)
                        .log("task could not be sent to chats");
            }
        }
    }

    private void apply(HumanTaskChanged changed) {
        UUID task = Ids.of("task", changed.meta().process().id(), changed.task().taskOrder());
        switch (changed.change()) {
            case ASKED -> sendQuestion(changed, task);
            case DELEGATED -> {
                close(changed, task, "It was reassigned to another person by " + name(changed) + ".");
                sendQuestion(changed, task);
            }
            case ESCALATED -> {
                close(changed, task, "No one answered in time, so another person is asked now.");
                sendQuestion(changed, task);
            }
            case ANSWERED -> close(changed, task, "Answered by " + name(changed) + ".");
            case WITHDRAWN -> close(changed, task, "This question is closed.");
            case CLAIMED, RELEASED, CLAIM_LAPSED, REFUSED -> {}
        }
    }

    private String name(HumanTaskChanged changed) {
        String user = changed.meta().user();
        return user == null ? "somebody" : account(user).map(this::name).orElse(user);
    }

    private String name(UUID account) {
        return directory.account(host, account).map(Account::name).orElse("somebody");
    }

    private static Optional<UUID> account(String id) {
        try {
            return Optional.of(Ids.parse(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void sendQuestion(HumanTaskChanged changed, UUID task) {
        HumanTask humanTask = changed.task();
        ProcessRef process = changed.meta().process();
        people(humanTask.assignees(), process.project())
                .filter(link -> mayAnswer(link.account(), process.project()))
                .flatMap(link -> chat(link).map(address -> Map.entry(link, address)).stream())
                .limit(MAX_CHATS)
                .map(entry -> message(changed, task, entry.getKey(), entry.getValue()))
                .forEach(message -> sendQuestion(message, humanTask.deadline()));
    }

    private static TaskMessage message(
            HumanTaskChanged changed, UUID task, ChannelLink link, ConversationAddress address) {
        ProcessRef process = changed.meta().process();
        return new TaskMessage(
                Ids.of(
                        "task message",
                        task,
                        address.bot(),
                        address.chat(),
                        changed.meta().seq()),
                task,
                address.bot(),
                address.chat(),
                link.account(),
                process.project(),
                process.id(),
                changed.task().taskOrder(),
                changed.task().question());
    }

    /** The links of the assignees: by account, and by role. */
    private Stream<ChannelLink> people(List<Assignee> assignees, String project) {
        Stream<ChannelLink> byAccount = assignees.stream()
                .flatMap(assignee -> account(assignee.id()).stream())
                .flatMap(account -> links.of(account).stream());
        Stream<ChannelLink> ofRoles = assignees.stream().noneMatch(Assignee::isRole)
                ? Stream.empty()
                : links.all().stream().filter(link -> isAssigned(link.account(), assignees, project));
        return Stream.concat(byAccount, ofRoles).distinct();
    }

    private boolean isAssigned(UUID account, List<Assignee> assignees, String project) {
        List<String> roles = roles(account, project);
        return assignees.stream().anyMatch(assignee -> assignee.is(account.toString(), roles));
    }

    private List<String> roles(UUID account, String project) {
        return Caller.inNameOf(host, account, directory)
                .map(caller -> caller.taskRoles(project))
                .orElse(List.of());
    }

    private boolean mayAnswer(UUID account, String project) {
        return Caller.inNameOf(host, account, directory)
                .filter(caller -> caller.may(Capability.WORKFLOW_RUN, project))
                .isPresent();
    }

    /** The private chat with a linked user, where the bot exists and admits them. */
    private Optional<ConversationAddress> chat(ChannelLink link) {
        BotConfig bot = bots.find(link.bot()).orElse(null);
        @Nullable PluginChannel channel = bot == null ? null : channels.of(bot).orElse(null);
        if (bot == null || channel == null) {
            return Optional.empty();
        }
        boolean admitted = rights.decide(bot, new Sender(link.user(), link.name()), Capability.SESSION_SEND)
                .allows();
        return channel.privateChat(link.user())
                .filter(_ -> admitted)
                .map(chat -> new ConversationAddress(bot.name(), chat, null));
    }

    private void sendQuestion(TaskMessage message, @Nullable Instant deadline) {
        in(() -> {
            rows.insert(host, message);
            return message;
        });
        var text = new TaskText(message.question());
        String deadlineText = deadline == null ? null : deadline.toString();
        send(reply(message, message.replyId(), Reply.Kind.MESSAGE, text.text(deadlineText)));
    }

    private Reply reply(TaskMessage message, UUID id, Reply.Kind kind, String text) {
        var address = new ConversationAddress(message.bot(), message.chat(), null);
        BotConfig bot = bots.find(message.bot()).orElse(null);
        boolean forms =
                bot != null && channels.of(bot).map(PluginChannel::showsForms).orElse(false);
        RecordKey key = chats.session(address).key(bot == null ? RecordKey.DEFAULT_PROJECT : bot.project());
        return new Reply(
                id,
                host,
                key,
                message.replyId(),
                new ReplyAddress(message.bot(), message.chat(), null, null),
                kind,
                text,
                Instant.now(),
                List.of(),
                kind == Reply.Kind.MESSAGE
                        ? new TaskText(message.question()).choices(message.taskId(), forms)
                        : List.of());
    }

    /** Replaces the messages of a task with the result, without buttons. */
    private void close(HumanTaskChanged changed, UUID task, String result) {
        for (TaskMessage message : in(() -> rows.openOf(host, task))) {
            UUID id = Ids.of(
                    "task message over", message.replyId(), changed.meta().seq());
            send(reply(message, id, Reply.Kind.FINAL, new TaskText(message.question()).closedText(result)));
        }
        in(() -> {
            rows.close(host, task);
            return task;
        });
    }

    private void send(Reply reply) {
        try {
            replies.send(reply);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Kafka does not accept replies now: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("this instance is shutting down", e);
        }
    }

    @Override
    public Optional<TaskQuestion> find(ConversationAddress address, String message) throws InterruptedException {
        long deadline = System.nanoTime() + REFERENCE_TIMEOUT.toNanos();
        while (true) {
            boolean sending = isBeingSent(address); // before the lookup, which thus misses no message
            Optional<TaskQuestion> found = in(() -> rows.ofMessage(host, address.bot(), address.chat(), message))
                    .map(TaskMessage::asQuestion);
            if (found.isPresent() || !sending || System.nanoTime() > deadline) {
                return found;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private boolean isBeingSent(ConversationAddress address) {
        return in(() -> rows.isBeingSent(host, address.bot(), address.chat(), REFERENCE_TIMEOUT.toSeconds()));
    }

    @Override
    public Optional<TaskQuestion> find(ConversationAddress address, UUID task) {
        return in(() -> rows.ofTask(host, address.bot(), address.chat(), task)).map(TaskMessage::asQuestion);
    }

    @Override
    public List<TaskQuestion> open(ConversationAddress address) {
        return in(() -> rows.open(host, address.bot(), address.chat(), MAX_OPEN)).stream()
                .map(TaskMessage::asQuestion)
                .toList();
    }

    @Override
    public void askAgain(ConversationAddress address, TaskQuestion question, String reference)
            throws UnavailableException {
        UUID reply = Ids.of("task message", question.task(), address.bot(), address.chat(), reference);
        Optional<TaskMessage> before = in(() -> rows.ofTask(host, address.bot(), address.chat(), question.task()));
        if (before.isPresent()) {
            try {
                sendQuestion(before.get().as(reply), null);
            } catch (IllegalStateException e) {
                throw new UnavailableException(UnavailableException.Reason.AWAY, String.valueOf(e.getMessage()), e);
            }
        }
    }

    @Override
    public AnswerResult answerWithOption(TaskQuestion question, Sender sender, String reference, int option)
            throws UnavailableException, InterruptedException {
        Optional<String> answer = new TaskText(question.question()).option(option);
        return answer.isEmpty() ? new AnswerResult.Over() : answer(question, sender, reference, answer.get());
    }

    @Override
    public AnswerResult answerWithText(TaskQuestion question, Sender sender, String reference, String text)
            throws UnavailableException, InterruptedException {
        return answer(question, sender, reference, new TaskText(question.question()).parse(text));
    }

    @Override
    public Optional<ChatForm> form(TaskQuestion question, String title, String send) {
        return new TaskText(question.question()).form(title, send);
    }

    @Override
    public AnswerResult answerWithForm(
            TaskQuestion question, Sender sender, String reference, Map<String, List<String>> values)
            throws UnavailableException, InterruptedException {
        return answer(question, sender, reference, new TaskText(question.question()).answer(values));
    }

    private AnswerResult answer(TaskQuestion question, Sender sender, String reference, String answer)
            throws UnavailableException, InterruptedException {
        UUID account = sender.account();
        if (account == null || !mayAnswer(account, question.project())) {
            return new AnswerResult.Forbidden();
        }
        UUID id = Ids.of("chat task", question.task(), reference);
        Optional<Outcome> outcome = commands.execute(command(question, id, account, answer));
        outcome.ifPresent(result -> audit(question, account, id, result));
        return switch (outcome.orElse(null)) {
            case null -> new AnswerResult.Late();
            case Outcome.Refused refused -> refusalResult(question, refused);
            default -> new AnswerResult.Taken();
        };
    }

    private HandleTask command(TaskQuestion question, UUID id, UUID account, String answer) {
        return new HandleTask(
                commands.meta(id, host, Actor.person(account.toString()), account.toString(), null),
                new ProcessRef(host, question.project(), question.process()),
                question.order(),
                TaskAction.COMPLETE,
                roles(account, question.project()),
                answer,
                null,
                null);
    }

    private static AnswerResult refusalResult(TaskQuestion question, Outcome.Refused refused) {
        boolean sensitive = new TaskText(question.question()).isSensitive();
        return switch (refused.code()) {
            case "invalid_answer" ->
                new AnswerResult.Invalid(sensitive ? "it does not have the expected form" : refused.message());
            case "task_closed", "unknown_process" -> new AnswerResult.Over();
            case "task_not_yours" -> new AnswerResult.Forbidden();
            default -> new AnswerResult.Refused(refused.message());
        };
    }

    private void audit(TaskQuestion question, UUID account, UUID id, Outcome outcome) {
        boolean accepted = !(outcome instanceof Outcome.Refused);
        audit.accept(new AuditEntry(
                Ids.of("audit", id),
                host,
                RecordKey.projectId(question.project()),
                "task",
                "complete",
                question.task().toString(),
                account.toString(),
                null,
                id.toString(),
                Instant.now(),
                accepted,
                outcome instanceof Outcome.Refused refused ? refused.code() : null));
    }
}
