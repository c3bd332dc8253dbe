package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** Stops another JVM at a method, so that it can be killed there; the tested code needs no hook for that. */
final class Debugger implements AutoCloseable {
    /** The option of a JVM to be stopped: it listens for a debugger, and prints its port. */
    static final String OPTION = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

    private static final Pattern LISTENS = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");
    private static final Duration REACHED = Duration.ofSeconds(60);

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final VirtualMachine machine;

    private Debugger(VirtualMachine machine) {
        this.machine = machine;
    }

    /** @param log the output of the JVM, which may follow that of earlier ones */
    static Debugger attach(String log) {
        String port = LISTENS.matcher(log)
                .results()
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError(log))
                .group(1);
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(candidate -> candidate.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        var arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(port);
        try {
            return new Debugger(connector.attach(arguments));
        } catch (IOException | IllegalConnectorArgumentsException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * The moment in which a thread enters a method.
     *
     * @param thread prefix of its name
     * @param type class of the method; it is loaded
     */
    record Moment(String thread, String type, String method) {
        @Override
        public String toString() {
            return type.substring(type.lastIndexOf('.') + 1) + "." + method;
        }
    }

    /** Stops all threads once these moments have occurred in sequence; the result completes when they are stopped. */
    CompletableFuture<Void> stopAfter(List<Moment> moments) {
        BreakpointRequest first = breakpoint(moments.getFirst());
        return CompletableFuture.runAsync(() -> follow(moments, first), thread);
    }

    private void follow(List<Moment> moments, BreakpointRequest first) {
        BreakpointRequest request = first;
        for (Moment moment : moments) {
            if (request == null) {
                request = breakpoint(moment);
                machine.resume();
            }
            await(moment, request);
            request.disable();
            request = null;
        }
    }

    private BreakpointRequest breakpoint(Moment moment) {
        List<ReferenceType> types = machine.classesByName(moment.type());
        assertEquals(1, types.size(), moment.type());
        List<Method> methods = types.getFirst().methodsByName(moment.method());
        assertEquals(1, methods.size(), moment.toString());
        BreakpointRequest request = machine.eventRequestManager()
                .createBreakpointRequest(methods.getFirst().location());
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
        return request;
    }

    private void await(Moment moment, BreakpointRequest request) {
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove(REACHED.toMillis());
                assertNotNull(events, "it never came to " + moment);
                for (Event event : events) {
                    if (event instanceof BreakpointEvent hit
                            && hit.request().equals(request)
                            && hit.thread().name().startsWith(moment.thread())) {
                        return;
                    }
                }
                events.resume();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
