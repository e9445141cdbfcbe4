ALTER TABLE "refunds" DROP CONSTRAINT "refunds_why";--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "said" jsonb;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_why" CHECK ("refunds"."why" in ('cancelled', 'late', 'undone', 'twice', 'by_us'));