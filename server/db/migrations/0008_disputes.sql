ALTER TABLE "ledger" DROP CONSTRAINT "ledger_kind";--> statement-breakpoint
ALTER TABLE "ledger" DROP CONSTRAINT "ledger_direction";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_kind" CHECK ("ledger"."kind" in ('charge', 'refund', 'refund_failed', 'dispute', 'dispute_won'));--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_direction" CHECK (("ledger"."amount" > 0) = ("ledger"."kind" in ('charge', 'refund_failed', 'dispute_won')) and "ledger"."amount" <> 0
        and ("ledger"."kind" = 'charge') = ("ledger"."charge_id" is null));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_failed" CHECK ("refunds"."failed_at" is null or ("refunds"."done_at" is null and "refunds"."due_at" is null));