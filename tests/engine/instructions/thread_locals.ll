; Operands of every kind that name thread-local variables themselves, as clang before 15 wrote them.
; Bitcode that was compiled natively ends with 0.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
%pair = type { i32, [3 x i32] }
@own = internal thread_local(localexec) global i32 4, align 4
@"odd name" = thread_local global %pair { i32 1, [3 x i32] [i32 2, i32 3, i32 4] }, align 4
@other = thread_local alias i32, getelementptr inbounds (%pair, ptr @"odd name", i32 0, i32 1, i32 2)
@plain = global i32 8
@slot = global ptr null
@ints = global <2 x i64> zeroinitializer
@text = private constant [5 x i8] c"@own\00"
@llvm.used = appending global [1 x ptr] [ptr @"odd name"], section "llvm.metadata"
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort() noreturn
define internal void @check(i1 %ok) {
  br i1 %ok, label %good, label %bad
good:
  ret void
bad:
  call void @abort()
  unreachable
}
define internal i32 @sum({ ptr, i32 } %both, [2 x ptr] %several, <2 x ptr> %lanes) {
  %p = extractvalue { ptr, i32 } %both, 0
  %n = extractvalue { ptr, i32 } %both, 1
  %q = extractvalue [2 x ptr] %several, 1
  %r = extractelement <2 x ptr> %lanes, i32 1
  %a = load i32, ptr %p, align 4
  %b = load i32, ptr %q, align 4
  %c = load i32, ptr %r, align 4
  %x = add i32 %a, %b
  %y = add i32 %x, %c
  %z = add i32 %y, %n
  ret i32 %z
}
define internal ptr @run(ptr %arg) {
entry:
  %flag = icmp ne ptr %arg, null
  %v = load i32, ptr @own, align 4
  %is4 = icmp eq i32 %v, 4
  call void @check(i1 %is4)
  store i32 5, ptr @own, align 4
  store i32 70, ptr getelementptr inbounds (%pair, ptr @"odd name", i32 0, i32 1, i64 1), align 4
  %w = load i32, ptr @other, align 4
  %w4 = icmp eq i32 %w, 4
  call void @check(i1 %w4)
  br i1 %flag, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %p = phi ptr [ @own, %left ], [ getelementptr inbounds (i8, ptr @"odd name", i64 8), %right ]
  %m = load i32, ptr %p, align 4
  %wanted = select i1 %flag, i32 5, i32 70
  %same = icmp eq i32 %m, %wanted
  call void @check(i1 %same)
  %num = add i64 ptrtoint (ptr @own to i64), 0
  %back = inttoptr i64 %num to ptr
  %x = load i32, ptr %back, align 4
  %x5 = icmp eq i32 %x, 5
  call void @check(i1 %x5)
  %y = load i32, ptr inttoptr (i64 add (i64 ptrtoint (ptr @"odd name" to i64), i64 8) to ptr), align 4
  %y70 = icmp eq i32 %y, 70
  call void @check(i1 %y70)
  %total = call i32 @sum({ ptr, i32 } { ptr @own, i32 1 }, [2 x ptr] [ptr @plain, ptr getelementptr (i8, ptr @"odd name", i64 8)], <2 x ptr> <ptr @plain, ptr @own>)
  %t81 = icmp eq i32 %total, 81
  call void @check(i1 %t81)
  %is.own = select i1 %flag, ptr @own, ptr @plain
  %old = atomicrmw add ptr @own, i32 1 seq_cst
  %old5 = icmp eq i32 %old, 5
  call void @check(i1 %old5)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 @own, ptr align 4 @"odd name", i64 4, i1 false)
  %z = load i32, ptr @own, align 4
  %z1 = icmp eq i32 %z, 1
  call void @check(i1 %z1)
  ret ptr null
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @main() {
  %t = alloca i64, align 8
  %1 = load i32, ptr @own, align 4
  store i32 9, ptr @own, align 4
  store i32 9, ptr @other, align 4
  %2 = call i32 @pthread_create(ptr %t, ptr null, ptr @run, ptr null)
  %3 = load i64, ptr %t, align 8
  %4 = call i32 @pthread_join(i64 %3, ptr null)
  %5 = call i32 @pthread_create(ptr %t, ptr null, ptr @run, ptr @plain)
  %6 = load i64, ptr %t, align 8
  %7 = call i32 @pthread_join(i64 %6, ptr null)
  %8 = load i32, ptr @own, align 4
  %9 = icmp eq i32 %8, 9
  call void @check(i1 %9)
  %10 = load i32, ptr getelementptr inbounds (%pair, ptr @"odd name", i32 0, i32 1, i64 1), align 4
  %11 = icmp eq i32 %10, 3
  call void @check(i1 %11)
  ret i32 0
}
