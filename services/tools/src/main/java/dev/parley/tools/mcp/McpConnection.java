package dev.parley.tools.mcp;

import dev.parley.platform.clock.Deadline;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.mcp.McpTransport.SessionLostException;
import dev.parley.tools.mcp.McpTransport.TransportException;
import dev.parley.tools.mcp.McpTransport.UnsentException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The connection to one server: initialised with the first call; its tools are cached for 5 minutes, or until it
 * notifies a change. A circuit breaker, open for 10 s, protects a server that fails repeatedly.
 */
final class McpConnection implements AutoCloseable {
    private static final Duration INITIALIZE_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(30);
    /** Maximum age of the cached tools: servers need not send notifications. */
    private static final Duration TOOLS_CACHE = Duration.ofMinutes(5);

    private static final int MAX_PAGES = 20;
    private static final int MAX_TOOLS = 1_000;
    private static final CircuitBreakerConfig RULES = CircuitBreakerConfig.custom()
            .slidingWindowSize(10)
            .minimumNumberOfCalls(3)
            .failureRateThreshold(60)
            .waitDurationInOpenState(Duration.ofSeconds(10))
            .permittedNumberOfCallsInHalfOpenState(1)
            .build();

    private final String label;
    private final Supplier<McpTransport> transports;
    private final CircuitBreaker breaker;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Session session;

    /** @param transports creates transports, which open nothing yet */
    McpConnection(String label, Supplier<McpTransport> transports) {
        this.label = label;
        this.transports = transports;
        this.breaker = CircuitBreaker.of(label, RULES);
    }

    /** An initialised session. */
    private final class Session {
        private final SdkTransport transport = new SdkTransport(transports.get(), () -> changed = true, this::close);
        private final McpAsyncClient client = McpClient.async(transport)
                .clientInfo(McpSchema.Implementation.builder("parley", "1").build())
                .requestTimeout(REQUEST_TIMEOUT)
                .initializationTimeout(INITIALIZE_TIMEOUT)
                .build();
        private volatile boolean changed = true;
        private volatile boolean dead;
        private volatile long listed;
        private volatile List<McpSchema.Tool> tools = List.of();

        void close() {
            dead = true; // before waiting callers are notified
            client.close();
            transport.close();
        }
    }

    /** The server answered with a protocol error. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(McpError error) {
            super(McpContents.brief(String.valueOf(error.getMessage())));
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T with(Session session) throws IOException, InterruptedException, RefusedException;
    }

    /**
     * The server's tools.
     *
     * @throws IOException with the reason why they cannot be listed
     */
    List<McpSchema.Tool> tools(Deadline deadline) throws IOException, InterruptedException {
        try {
            return withBreaker(deadline, current -> tools(current, deadline));
        } catch (RefusedException e) {
            throw new TransportException("%s refuses: %s".formatted(label, e.getMessage()), e);
        }
    }

    /**
     * Calls a tool.
     *
     * @throws IOException when the call may have been executed, except for {@link UnsentException}
     */
    ToolOutput call(String tool, Map<String, Object> arguments, ToolCallContext call)
            throws IOException, InterruptedException {
        try {
            return withBreaker(call.cancellation().deadline(), current -> {
                List<McpSchema.Tool> tools = tools(current, call.cancellation().deadline());
                if (tools.stream().noneMatch(listed -> listed.name().equals(tool))) {
                    return new Failed("%s has no tool '%s'".formatted(label, tool));
                }
                return McpContents.output(call(current, tool, arguments, call));
            });
        } catch (RefusedException e) {
            return new Failed("%s refuses: %s".formatted(label, e.getMessage()));
        }
    }

    /** Calls a tool, which need not be listed, and returns the result in the form of MCP. */
    CallToolResult result(String tool, Map<String, Object> arguments, ToolCallContext call)
            throws IOException, InterruptedException {
        try {
            return withBreaker(call.cancellation().deadline(), current -> call(current, tool, arguments, call));
        } catch (RefusedException e) {
            throw new IOException("%s refuses: %s".formatted(label, e.getMessage()), e);
        }
    }

    private CallToolResult call(Session session, String tool, Map<String, Object> arguments, ToolCallContext call)
            throws IOException, InterruptedException, RefusedException {
        String id = call.callId().toString();
        var request = new CallToolRequest(tool, arguments, Map.of(SdkTransport.CALL_ID, id));
        call.cancellation().onCancel(() -> session.transport.cancel(id));
        boolean answered = false;
        try {
            CallToolResult result =
                    await(session.client.callTool(request), call.cancellation().deadline());
            answered = true;
            return result;
        } finally {
            if (answered) {
                session.transport.forget(id);
            } else {
                session.transport.cancel(id);
            }
        }
    }

    private List<McpSchema.Tool> tools(Session session, Deadline deadline)
            throws IOException, InterruptedException, RefusedException {
        if (!session.changed && System.nanoTime() - session.listed < TOOLS_CACHE.toNanos()) {
            return session.tools;
        }
        session.changed = false; // later changes invalidate the cache again
        boolean complete = false;
        try {
            session.tools = fetchTools(session, deadline);
            complete = true;
        } finally {
            session.changed |= !complete;
        }
        session.listed = System.nanoTime();
        return session.tools;
    }

    private List<McpSchema.Tool> fetchTools(Session session, Deadline deadline)
            throws IOException, InterruptedException, RefusedException {
        var tools = new ArrayList<McpSchema.Tool>();
        String cursor = null;
        for (int page = 0; page < MAX_PAGES && tools.size() < MAX_TOOLS; page++) {
            McpSchema.ListToolsResult result = await(session.client.listTools(cursor), deadline);
            tools.addAll(result.tools());
            cursor = result.nextCursor();
            if (cursor == null || cursor.isEmpty()) {
                break;
            }
        }
        return List.copyOf(tools.subList(0, Math.min(MAX_TOOLS, tools.size())));
    }

    /** Whether the circuit breaker is open. */
    boolean isCircuitOpen() {
        return breaker.getState() == CircuitBreaker.State.OPEN;
    }

    private <T> T withBreaker(Deadline deadline, Work<T> work)
            throws IOException, InterruptedException, RefusedException {
        if (!breaker.tryAcquirePermission()) {
            throw new UnsentException(
                    label + " failed several times and is not called for some seconds; try again later");
        }
        long start = breaker.getCurrentTimestamp();
        try {
            T result = withRetry(deadline, work);
            breaker.onSuccess(breaker.getCurrentTimestamp() - start, breaker.getTimestampUnit());
            return result;
        } catch (IOException e) {
            breaker.onError(breaker.getCurrentTimestamp() - start, breaker.getTimestampUnit(), e);
            throw e;
        } catch (RefusedException e) {
            breaker.onSuccess(breaker.getCurrentTimestamp() - start, breaker.getTimestampUnit());
            throw e;
        } catch (InterruptedException | RuntimeException e) {
            breaker.releasePermission();
            throw e;
        }
    }

    /** Repeats work once after a restarted server has lost the session. */
    private <T> T withRetry(Deadline deadline, Work<T> work)
            throws IOException, InterruptedException, RefusedException {
        Session first = session(deadline);
        try {
            return work.with(first);
        } catch (SessionLostException e) {
            first.close();
            return work.with(session(deadline));
        }
    }

    private Session session(Deadline deadline) throws IOException, InterruptedException {
        if (!lock.tryLock(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new UnsentException(label + " does not answer");
        }
        try {
            Session current = session;
            if (current == null || current.dead) {
                current = initialize(deadline);
                session = current;
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    private Session initialize(Deadline deadline) throws IOException, InterruptedException {
        var created = new Session();
        boolean initialized = false;
        try {
            await(created.client.initialize(), deadline.within(INITIALIZE_TIMEOUT));
            initialized = true;
            return created;
        } catch (RefusedException | TransportException e) {
            throw new UnsentException("%s failed to initialise: %s".formatted(label, e.getMessage()), e);
        } finally {
            if (!initialized) {
                created.close();
            }
        }
    }

    private <T> T await(Mono<T> work, Deadline deadline) throws IOException, InterruptedException, RefusedException {
        Future<@Nullable T> future = work.toFuture();
        try {
            T result = future.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
            if (result == null) {
                throw new TransportException(label + " ends without an answer");
            }
            return result;
        } catch (TimeoutException e) {
            throw new TransportException(label + " does not answer in time");
        } catch (ExecutionException e) {
            throw failure(e);
        } finally {
            future.cancel(true);
        }
    }

    /** The failure that the MCP client wraps. */
    private TransportException failure(ExecutionException e) throws RefusedException {
        for (@Nullable Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof McpError refused && refused.getJsonRpcError() != null) {
                throw new RefusedException(refused);
            }
            if (cause instanceof TransportException transportException) {
                return transportException;
            }
        }
        return new TransportException(label + " breaks the protocol"); // the SDK's exceptions quote what it sent
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (session != null) {
                session.close();
                session = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
