/* A bot in JavaScript: runs the program that stands behind the interpreter's memory (engine.javascript). */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quickjs.h"

/* The linker's name for the end of the memory before the program. */
extern unsigned char __heap_end;

/* The stack in the module's memory, which ends a recursion of calls before the machine's stack of 1 MiB does. */
#define STACK_BYTES (192 << 10)
#define LONGEST_LINE (1 << 20)

/* print(text): a line to the referee. */
static JSValue print(JSContext *context, JSValueConst self, int count, JSValueConst *words) {
    const char *text = count ? JS_ToCString(context, words[0]) : "";
    if (!text)
        return JS_EXCEPTION;
    puts(text);
    fflush(stdout);
    if (count)
        JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

/* console.log(...): a line of the bot's log. */
static JSValue report(JSContext *context, JSValueConst self, int count, JSValueConst *words) {
    for (int i = 0; i < count; i++) {
        const char *text = JS_ToCString(context, words[i]);
        if (!text)
            return JS_EXCEPTION;
        fprintf(stderr, i ? " %s" : "%s", text);
        JS_FreeCString(context, text);
    }
    fputc('\n', stderr);
    return JS_UNDEFINED;
}

/* readLine(): the next line from the referee without its end, or null after the last. */
static JSValue read_line(JSContext *context, JSValueConst self, int count, JSValueConst *words) {
    static char line[LONGEST_LINE];
    if (!fgets(line, sizeof line, stdin))
        return JS_NULL;
    line[strcspn(line, "\r\n")] = 0;
    return JS_NewString(context, line);
}

/* Math.random(): by the seed of the match, so that a game can be played again. */
static JSValue random_number(JSContext *context, JSValueConst self, int count, JSValueConst *words) {
    static uint64_t state;
    while (!state)
        getentropy(&state, sizeof state);
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return JS_NewFloat64(context, (double)(state >> 11) / (1ull << 53));
}

static void define(JSContext *context, JSValueConst object, const char *name, JSCFunction *function) {
    JS_SetPropertyStr(context, object, name, JS_NewCFunction(context, function, name, 1));
}

/* The exception and where it was thrown, for the author. */
static int fail(JSContext *context) {
    JSValue error = JS_GetException(context);
    const char *text = JS_ToCString(context, error);
    fprintf(stderr, "%s\n", text ? text : "exception");
    JSValue stack = JS_GetPropertyStr(context, error, "stack");
    if (JS_IsString(stack)) {
        const char *lines = JS_ToCString(context, stack);
        fputs(lines ? lines : "", stderr);
    }
    return 1;
}

int main(void) {
    const unsigned char *end = &__heap_end;
    uint32_t length = 0;
    if (__builtin_wasm_memory_size(0) * 65536ul > (uintptr_t)end)
        memcpy(&length, end, sizeof length);
    char *program = malloc(length + 1);
    memcpy(program, end + sizeof length, length);
    program[length] = 0;

    JSRuntime *runtime = JS_NewRuntime();
    JS_SetMaxStackSize(runtime, STACK_BYTES);
    JSContext *context = JS_NewContext(runtime);
    JSValue global = JS_GetGlobalObject(context);
    JSValue console = JS_NewObject(context);
    define(context, global, "print", print);
    define(context, global, "readLine", read_line);
    define(context, console, "log", report);
    JS_SetPropertyStr(context, global, "console", console);
    JSValue math = JS_GetPropertyStr(context, global, "Math");
    define(context, math, "random", random_number);

    JSValue result = JS_Eval(context, program, length, "main.js", JS_EVAL_TYPE_GLOBAL);
    if (JS_IsException(result))
        return fail(context);
    for (JSContext *other; ;) {
        int jobs = JS_ExecutePendingJob(runtime, &other);
        if (jobs < 0)
            return fail(other);
        if (!jobs)
            return 0;
    }
}
