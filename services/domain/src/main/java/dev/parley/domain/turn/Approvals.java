package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.Names;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Decision;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.permission.Subject;
import dev.parley.domain.protocol.Approval;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.SetPermissions;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.ApprovalDecided;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.PermissionDecided;
import dev.parley.domain.protocol.TurnEvent.PermissionsChanged;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.turn.answer.ToolArguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Permission checks of tool calls: permission rules allow, deny, or request a person's approval. */
final class Approvals {
    /** Maximum characters of arguments in an approval request; more are read in the session, and approved there. */
    private static final int MAX_SHOWN_ARGUMENTS = 100_000;

    private static final java.util.regex.Pattern FENCES = java.util.regex.Pattern.compile("`{3,}");

    private Approvals() {}

    /** Executes the call, denies it, or requests approval. */
    static void authorize(TurnDraft draft, ToolCall call, Toolset.Offer offer) {
        Skill skill = offer.skill();
        if (skill != null && !offer.access().covers(offer.spec().access())) {
            draft.emit(new PermissionDecided(
                    draft.turnMeta(), call.callId(), call.name(), "", PermissionAction.DENY, null));
            ToolCalls.reject(draft, call, skillAccessDenial(skill, offer));
            return;
        }
        Subject subject;
        try {
            subject = subject(offer.spec(), call);
        } catch (IllegalArgumentException e) {
            ToolCalls.reject(draft, call, String.valueOf(e.getMessage()));
            return;
        }
        authorize(draft, call, offer.spec(), subject);
    }

    private static void authorize(TurnDraft draft, ToolCall call, ToolSpec tool, Subject subject) {
        var permission = new Permissions.Call(
                draft.turn().turn().agent(), call.name(), tool.access().category(), subject);
        Decision decision = Permissions.decide(rules(draft), permission, draft.now());
        List<String> checks = ToolArguments.pendingChecks(call.arguments());
        PermissionAction action = call.isCallers() ? actionOfCaller(decision) : action(draft, decision, checks);
        draft.emit(new PermissionDecided(
                draft.turnMeta(), call.callId(), call.name(), subject.value(), action, decision.rule()));
        switch (action) {
            case ALLOW -> ToolCalls.execute(draft, call);
            case ASK -> request(draft, call, subject, reason(checks));
            case DENY -> ToolCalls.reject(draft, call, denial(decision));
        }
    }

    private static List<PermissionRule> rules(TurnDraft draft) {
        var rules = new ArrayList<>(draft.definitions().permissions());
        String user = author(draft);
        draft.state().open().permissions().stream()
                .filter(rule -> rule.isForSession() || user.equals(rule.createdBy()))
                .forEach(rules::add);
        return rules;
    }

    /** For whom an answer's session rules are: they approve no calls of turns that somebody else began. */
    private static String author(TurnDraft draft) {
        return Objects.requireNonNullElse(draft.turn().turn().user(), "somebody");
    }

    /**
     * Safety checks of a provider need approval even if the rules allow the call. Without a person to ask, the call is
     * denied.
     */
    private static PermissionAction action(TurnDraft draft, Decision decision, List<String> checks) {
        PermissionAction action = decision.action() == PermissionAction.ALLOW && !checks.isEmpty()
                ? PermissionAction.ASK
                : decision.action();
        return action == PermissionAction.ASK && !canRequestApproval(draft) ? PermissionAction.DENY : action;
    }

    /** The caller executes the call and asks its own users: rules can deny it, but no approval is requested. */
    private static PermissionAction actionOfCaller(Decision decision) {
        return decision.action() == PermissionAction.DENY ? PermissionAction.DENY : PermissionAction.ALLOW;
    }

    /**
     * Turns of {@link Origin#SCHEDULE} have no user present. No component starts such turns at present; they stay
     * covered because released schemas contain the origin.
     */
    private static boolean canRequestApproval(TurnDraft draft) {
        return draft.turn().turn().origin() != Origin.SCHEDULE && draft.agent().asksPeople();
    }

    private static String denial(Decision decision) {
        return decision.action() == PermissionAction.DENY
                ? "denied by the rule " + decision.rule() + "; do without it"
                : "needs a person's permission, and nobody can be asked; do without it";
    }

    private static String skillAccessDenial(Skill skill, Toolset.Offer offer) {
        return "denied: the skill '%s' gives %s access to '%s', which does more; do without it"
                .formatted(
                        skill.name(),
                        offer.access().name().toLowerCase(Locale.ROOT),
                        offer.spec().name());
    }

    private static Subject subject(ToolSpec tool, ToolCall call) {
        About about = tool.about();
        if (about == null) {
            return Subject.NONE;
        }
        String value = ToolArguments.orEmpty(call.arguments()).text(about.argument());
        try {
            return tool.subject(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the argument '" + about.argument() + "' " + e.getMessage(), e);
        }
    }

    private static void request(TurnDraft draft, ToolCall call, Subject subject, @Nullable String reason) {
        UUID id = Ids.of("approval", call.callId(), call.arguments());
        String arguments = shown(call);
        draft.emit(new ApprovalRequested(
                draft.turnMeta(),
                id,
                call.callId(),
                reason,
                draft.now().plus(timeout(draft)),
                call.name(),
                subject.value(),
                arguments,
                draft.turn().turn().user()));
        String question = question(call.name(), arguments, reason);
        Calls.publish(draft, TurnDelta.Kind.APPROVAL, question, call.name(), id.toString());
        ActiveTurn turn = draft.turn();
        ReplyAddress to = TurnLifecycle.fileAddress(turn);
        if (to != null) {
            List<Choice> choices = isShownWhole(call) ? choices(id, reason == null) : List.of(rejection(id));
            TurnLifecycle.deliverQuestion(draft, id, to, question(call.name(), fenced(arguments), reason), choices);
        }
    }

    private static Duration timeout(TurnDraft draft) {
        return draft.turn().turn().origin() == Origin.WORKFLOW
                ? TurnMachine.WORKLIST_APPROVAL_TIMEOUT
                : TurnMachine.APPROVAL_TIMEOUT;
    }

    /** The text of an approval request: the tool with all of its arguments. */
    private static String question(String tool, String arguments, @Nullable String reason) {
        return "May I use " + tool + "?\n" + arguments + (reason == null ? "" : "\n" + Names.visible(reason));
    }

    /** All of the arguments, with characters that cannot be seen escaped. */
    private static String shown(ToolCall call) {
        return isShownWhole(call)
                ? Names.visible(call.arguments())
                : "The arguments have %d characters, too many to be shown here: read the call in the session, and answer there."
                        .formatted(call.arguments().length());
    }

    private static boolean isShownWhole(ToolCall call) {
        return call.arguments().length() <= MAX_SHOWN_ARGUMENTS;
    }

    /** As a block of code, whose text is no Markdown: nothing in it can end the block or mention people. */
    private static String fenced(String text) {
        int longest = FENCES.matcher(text)
                .results()
                .mapToInt(found -> found.group().length())
                .max()
                .orElse(2);
        String fence = "`".repeat(longest + 1);
        return fence + "\n" + text + "\n" + fence;
    }

    /** The pending approvals of the active turn. */
    static List<PendingApproval> pending(TurnDraft draft) {
        ActiveTurn turn = draft.state().active();
        if (turn == null) {
            return List.of();
        }
        return turn.calls().stream()
                .filter(call -> call.approval() != null)
                .map(call -> pending(turn, call, call.approval()))
                .toList();
    }

    private static PendingApproval pending(ActiveTurn turn, ToolCall call, Approval approval) {
        return new PendingApproval(
                turn.turnId(),
                approval.approvalId(),
                turn.step(),
                call.toolCallId(),
                call.name(),
                question(call.name(), shown(call), reason(ToolArguments.pendingChecks(call.arguments()))),
                approval.expiresAt());
    }

    private static @Nullable String reason(List<String> checks) {
        return checks.isEmpty() ? null : String.join("; ", checks);
    }

    /** @param lasting whether a lasting rule is offered; it would not help against safety checks of a provider */
    private static List<Choice> choices(UUID id, boolean lasting) {
        Choice once = choice("Once", ApprovalAnswer.ONCE, id);
        Choice reject = rejection(id);
        return lasting
                ? List.of(
                        once,
                        choice("Always in this session", ApprovalAnswer.SESSION, id),
                        choice("Always in this project", ApprovalAnswer.PROJECT, id),
                        reject)
                : List.of(once, reject);
    }

    private static Choice rejection(UUID id) {
        return choice("No", ApprovalAnswer.REJECT, id);
    }

    private static Choice choice(String label, ApprovalAnswer answer, UUID id) {
        return new Choice(label, Choice.APPROVAL, answer.name().charAt(0) + " " + id);
    }

    /** Processes a decision on an approval. */
    static void decide(TurnDraft draft, DecideApproval command) {
        Optional<ToolCall> call = pendingCall(draft, command.approvalId());
        ActiveTurn active = draft.state().active();
        if (active != null && !Standing.answers(active.turn(), command.meta())) {
            Outcomes.refuse(draft, command, Refusal.NOT_YOURS_TO_ANSWER);
            return;
        }
        if (call.isEmpty() && forwardToDelegates(draft, command)) {
            Outcomes.acceptAsDone(draft, command, null);
            return;
        }
        if (call.isEmpty() || command.answer() == ApprovalAnswer.EXPIRED) {
            Outcomes.refuse(
                    draft,
                    command,
                    "unknown_approval",
                    "this approval is no longer pending; it may have been decided already");
            return;
        }
        UUID turn = draft.turn().turnId();
        Outcomes.acceptAsDone(draft, command, turn);
        createRules(draft, call.get(), command);
        resolve(draft, call.get(), command.answer(), command.meta().user(), command.reason());
    }

    /**
     * Forwards a decision on a delegate's approval, which was shown to the same person, to that delegate's session.
     */
    private static boolean forwardToDelegates(TurnDraft draft, DecideApproval command) {
        ActiveTurn active = draft.state().active();
        List<ToolCall> delegated = active == null
                ? List.of()
                : active.calls().stream()
                        .filter(call -> call.child() != null && !call.status().isFinal() && call.approval() == null)
                        .toList();
        for (ToolCall call : delegated) {
            UUID id = Ids.of(command.meta().commandId(), call.callId());
            var meta = command.meta().silent(id);
            draft.effect(new TurnEffect.SendCommand(
                    Objects.requireNonNull(call.child()),
                    new DecideApproval(meta, command.approvalId(), command.answer(), command.reason())));
        }
        return !delegated.isEmpty();
    }

    private static Optional<ToolCall> pendingCall(TurnDraft draft, UUID approval) {
        ActiveTurn active = draft.state().active();
        return active == null
                ? Optional.empty()
                : active.calls().stream()
                        .filter(call -> call.approval() != null
                                && call.approval().approvalId().equals(approval))
                        .findFirst();
    }

    /** Adds the session rule that the answer implies. If the rule limit is reached, the call is allowed once. */
    private static void createRules(TurnDraft draft, ToolCall call, DecideApproval command) {
        switch (command.answer()) {
            case SESSION -> {
                var added = rulesAllowing(draft, call, command, author(draft));
                var rules = Stream.concat(draft.state().open().permissions().stream(), added.stream())
                        .toList();
                if (!added.isEmpty() && rules.size() <= SetPermissions.MAX_RULES) {
                    draft.emit(new PermissionsChanged(draft.turnMeta(), rules));
                }
            }
            case PROJECT -> requestRules(draft, draft.state().key().project(), rulesAllowing(draft, call, command));
            case HOST -> requestRules(draft, null, rulesAllowing(draft, call, command));
            case ONCE, REJECT, EXPIRED -> {}
        }
    }

    private static List<PermissionRule> rulesAllowing(TurnDraft draft, ToolCall call, DecideApproval command) {
        String author =
                command.meta().user() == null ? "somebody" : command.meta().user();
        return rulesAllowing(draft, call, command, author);
    }

    private static List<PermissionRule> rulesAllowing(
            TurnDraft draft, ToolCall call, DecideApproval command, String author) {
        return PermissionRule.allowing(command.approvalId(), call.name(), subjectValues(draft, call), author);
    }

    /**
     * Requests project-level or host-level rules, which the control service creates after checking the person's role.
     * The call does not wait for them.
     */
    private static void requestRules(TurnDraft draft, @Nullable String project, List<PermissionRule> rules) {
        if (rules.size() <= SetPermissions.MAX_RULES) {
            UUID host = draft.state().open().host();
            rules.forEach(rule -> draft.effect(new TurnEffect.RequestRule(new RuleRequest(
                    rule.id(), host, project, rule.tool(), rule.pattern(), String.valueOf(rule.createdBy())))));
        }
    }

    /** Empty if the tool no longer exists, or now interprets its arguments differently. */
    private static List<String> subjectValues(TurnDraft draft, ToolCall call) {
        if (ToolSpec.OWN.contains(call.name())) {
            return Subject.NONE.values();
        }
        try {
            return draft.definitions()
                    .tool(call.name(), call.version())
                    .map(tool -> subject(tool, call).values())
                    .orElse(List.of());
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** Denies the call: no answer before the deadline. */
    static void expire(TurnDraft draft, ToolCall call) {
        resolve(draft, call, ApprovalAnswer.EXPIRED, null, null);
    }

    private static void resolve(
            TurnDraft draft, ToolCall call, ApprovalAnswer answer, @Nullable String user, @Nullable String reason) {
        Approval approval = Objects.requireNonNull(call.approval());
        draft.emit(new ApprovalDecided(draft.turnMeta(), approval.approvalId(), call.callId(), answer, user, reason));
        ToolCall now = draft.turn().calls().get(call.index());
        if (answer.allows()) {
            ToolCalls.execute(draft, now);
        } else {
            boolean expired = answer == ApprovalAnswer.EXPIRED;
            ToolCalls.reject(
                    draft,
                    now,
                    expired
                            ? "the request for approval was not answered in time; do without it"
                            : "a person said no to this");
        }
        ToolCalls.advance(draft);
    }

    /** Replaces the session's own rules, or removes one of them. */
    static void setRules(TurnDraft draft, SetPermissions command) {
        if (!draft.state().exists()) {
            Outcomes.refuse(draft, command, Refusal.UNKNOWN_SESSION);
        } else if (command.rules().size() > SetPermissions.MAX_RULES) {
            Outcomes.refuse(
                    draft, command, "too_many_rules", "a session has at most " + SetPermissions.MAX_RULES + " rules");
        } else if (command.removes() != null) {
            removeRule(draft, command, command.removes());
        } else {
            draft.emit(new PermissionsChanged(draft.meta(null), command.rules()));
            Outcomes.acceptAsDone(draft, command, null);
        }
    }

    private static void removeRule(TurnDraft draft, SetPermissions command, UUID rule) {
        List<PermissionRule> rules = draft.state().open().permissions();
        List<PermissionRule> remaining =
                rules.stream().filter(other -> !other.id().equals(rule)).toList();
        if (remaining.size() == rules.size()) {
            Outcomes.refuse(draft, command, "unknown_rule", "the session has no such rule");
        } else {
            draft.emit(new PermissionsChanged(draft.meta(null), remaining));
            Outcomes.acceptAsDone(draft, command, null);
        }
    }
}
